import { buttonLink, form, type Href, type Html, html, type PageContext, page } from "../../../html/index.ts";
import { type ClientView, documentLinks, heading, withLogo } from "../../parts/client.ts";
import { type AccountView, accountBox } from "../parts/account.ts";

/** The user has to confirm that the sign-in may continue. No consent to scopes; the form posts no fields. */
export interface ContinueModel {
  readonly action: Href;
  readonly client: ClientView;
  readonly account: AccountView;
  readonly otherAccountHref: Href;
}

export function continuePage(context: PageContext, model: ContinueModel): Html {
  const { client, account } = model;
  const title = context.say("continue.title", { client: client.name });
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, hostLine(client), documentLinks(context, client))}
<div class="stack"><p>${context.say("continue.text")}</p>${accountBox(account)}</div>
${form(context, { action: model.action, submit: { label: context.say("continue.submit") } })}
${buttonLink(model.otherAccountHref, context.say("accounts.other"), "secondary")}`,
  });
}

const hostLine = (client: ClientView): Html | undefined =>
  client.host === undefined && client.logoHref === undefined
    ? undefined
    : withLogo(client, html`<bdi>${client.host ?? client.name}</bdi>`);
