import type { Instant } from "../../../base/clock.ts";
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
 * Asks whether a device may act for the user. It protects against attackers who send their own code to users (RFC 8628
 * §5.4): it shows the application, the place and time of the request, and the code to compare, warns, and offers
 * refusal first. Posts `decision` (`allow`, `deny`), `session_id` and `shown`.
 */
export interface DeviceConfirmModel {
  readonly action: Href;
  readonly client: ClientView;
  /** Undefined for an application that registered itself: no organization answers for it. */
  readonly owner?: ClientOwner | undefined;
  /** As the device shows it. */
  readonly userCode: string;
  readonly requestedFrom: string;
  readonly requestedAt: Instant;
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

export function deviceConfirmPage(context: PageContext, model: DeviceConfirmModel): Html {
  const { client, owner } = model;
  const title = context.say("device_confirm.title");
  const warning = foreignWarning(context, owner);
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, withLogo(client, context.sayHtml("device_confirm.text", { client: strong(client.name) })))}
<div class="stack"><p>${context.say("device_confirm.compare")}</p>
<p class="device-code"><code>${model.userCode}</code></p></div>
<dl class="hint">${ownerLine(context, owner)}<div><dt>${context.say("device_confirm.from")}</dt><dd><code>${model.requestedFrom}</code></dd></div>
<div><dt>${context.say("device_confirm.at")}</dt><dd>${context.showInstant(model.requestedAt)}</dd></div>${
      model.services.length > 0 &&
      html`
<div><dt>${context.say("consent.resources")}</dt>${model.services.map((service) => html`<dd><bdi>${service}</bdi></dd>`)}</div>`
    }${documentLines(context, client)}</dl>
${notice("danger", context.say("device_confirm.warning"))}${warning && notice("danger", warning)}
<div class="stack"><p>${context.say("device_confirm.gives")}</p>${scopeList(context, model)}</div>
<div class="stack"><p>${context.say("decision.as")}</p>${accountBox(model.account)}
${buttonLink(model.otherAccountHref, context.say("decision.other"), "quiet")}</div>
${decisionForms(context, model)}`,
  });
}
