import { buttonLink, form, given, type Href, type Html, html, type PageContext, strong } from "../../html/index.ts";
import { accountBox } from "../../login/parts/account.ts";
import { type AccountFrame, accountPage } from "./frame.ts";

/** Asks whether the account that somebody just signed in with at a provider shall be his here. */
export interface AccountLinkModel extends AccountFrame {
  readonly providerName: string;
  /** What the account is called there. */
  readonly username: string;
  readonly action: Href;
  readonly backHref: Href;
}

export function accountLinkPage(context: PageContext, model: AccountLinkModel): Html {
  const { providerName, username, action, backHref, account } = model;
  return accountPage(context, model, {
    title: context.say("external.link.title"),
    intro: context.sayHtml("external.link.text", { username: strong(username), provider: given(providerName) }),
    body: html`<div class="panel stack">${accountBox(account)}
${form(context, { action, submit: { label: context.say("external.link.link") } })}
${buttonLink(backHref, context.say("account.cancel"), "secondary")}</div>`,
  });
}
