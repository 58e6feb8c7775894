import { buttonLink, form, given, type Href, type Html, html, type PageContext, strong } from "../../../html/index.ts";
import { accountBox } from "../../login/parts/account.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** Asks whether to link the account that has just signed in at a provider. */
export interface AccountLinkModel extends AccountFrame {
  readonly providerName: string;
  /** Username of the account at the provider. */
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
