import { buttonLink, type Href, type Html, html, notice, type PageContext, page, strong } from "../../../html/index.ts";
import {
  type ClientOwner,
  type ClientView,
  documentLines,
  foreignWarning,
  heading,
  ownerLine,
  withLogo,
} from "../../parts/client.ts";
import { type AccountView, accountBox } from "../parts/account.ts";
import { decisionForms } from "../parts/decision.ts";
import { type ScopeTopic, scopeList } from "../parts/scopes.ts";

/**
 * Asks whether an application may access the user's account: one that registered itself, one of an organization that
 * the user's own did not approve, or the command line, which any program on the user's machine can start. The name of
 * an application is its own claim, so its organization and the address that receives the response are shown beside it.
 * Posts `decision` (`allow`, `deny`), `session_id` and `shown`.
 */
export interface ConsentModel {
  readonly action: Href;
  readonly client: ClientView;
  /** The other hosts that the application may have responses sent to. */
  readonly otherHosts: readonly string[];
  /** Whether it is the command line that comes with the instance. */
  readonly isCommandLine?: boolean;
  /** Undefined for an application that registered itself: no organization answers for it. */
  readonly owner?: ClientOwner | undefined;
  readonly topics: readonly ScopeTopic[];
  /** What the scopes of resources permit, in the words of their owners. */
  readonly permissions: readonly string[];
  /** Names of the services that its tokens are for. */
  readonly services: readonly string[];
  readonly account: AccountView;
  readonly sessionId: string;
  /** Digest of the client and of what it would get. */
  readonly shown: string;
  readonly otherAccountHref: Href;
}

export function consentPage(context: PageContext, model: ConsentModel): Html {
  const { client, owner, services } = model;
  // Below the warning, which is about the addresses above it.
  const documents = documentLines(context, client);
  return page(context, {
    title: context.say("consent.title"),
    scripts: ["form.js"],
    body: html`${heading(context.say("consent.title"), withLogo(client, context.sayHtml("consent.text", { client: strong(client.name) })))}
<dl class="hint">${ownerLine(context, owner)}<div><dt>${context.say("consent.goes_to")}</dt><dd>${
      client.host === undefined ? context.say("consent.this_device") : html`<bdi>${client.host}</bdi>`
    }</dd></div>${
      model.otherHosts.length > 0 &&
      html`
<div><dt>${context.say("consent.goes_to_later")}</dt>${model.otherHosts.map((host) => html`<dd><bdi>${host}</bdi></dd>`)}</div>`
    }${
      services.length > 0 &&
      html`
<div><dt>${context.say("consent.resources")}</dt>${services.map((service) => html`<dd><bdi>${service}</bdi></dd>`)}</div>`
    }</dl>
${notice("danger", foreignWarning(context, owner) ?? context.say(model.isCommandLine === true ? "consent.command_line" : "consent.unchecked"))}
<div class="stack"><p>${context.say("consent.gives")}</p>${scopeList(context, model)}</div>
${documents.length > 0 && html`<dl class="hint">${documents}</dl>`}
<div class="stack"><p>${context.say("decision.as")}</p>${accountBox(model.account)}
${buttonLink(model.otherAccountHref, context.say("decision.other"), "quiet")}</div>
${decisionForms(context, model)}`,
  });
}
