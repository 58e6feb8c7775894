import { buttonLink, type Href, type Html, html, type PageContext, page } from "../../../html/index.ts";
import { heading } from "../../parts/client.ts";
import { type AccountView, accountLines } from "../parts/account.ts";

/** The sessions that ended, and where to go. */
export interface LoggedOutModel {
  readonly ended: readonly AccountView[];
  /** Accounts that are still signed in in this browser. */
  readonly remaining: readonly AccountView[];
  /** The requesting application, with its registered address. */
  readonly back?: { readonly clientName: string; readonly href: Href } | undefined;
  readonly signInHref: Href;
}

export function loggedOutPage(context: PageContext, model: LoggedOutModel): Html {
  const title = context.say("logged_out.title");
  const { ended, remaining, back } = model;
  return page(context, {
    title,
    body: html`${heading(title)}
${ended.length === 0 ? html`<p>${context.say("logged_out.none")}</p>` : accounts(context.say("logged_out.ended"), ended)}
${remaining.length > 0 && accounts(context.say("logged_out.remaining"), remaining)}
<p class="hint">${context.say("logged_out.applications")}</p>
${
  back === undefined
    ? buttonLink(model.signInHref, context.say("logged_out.sign_in"))
    : html`${buttonLink(back.href, context.say("logged_out.return", { client: back.clientName }))}
${buttonLink(model.signInHref, context.say("logged_out.sign_in"), "secondary")}`
}`,
  });
}

const accounts = (title: string, list: readonly AccountView[]): Html =>
  html`<div class="stack"><p>${title}</p><ul class="plain">${list.map((account) => html`<li class="identity">${accountLines(account)}</li>`)}</ul></div>`;
