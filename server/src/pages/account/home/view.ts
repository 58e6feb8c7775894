import { buttonLink, type Href, type Html, html, icon, link, type PageContext, strong } from "../../../html/index.ts";
import { type AccountFrame, accountPage, partIcons, partsOf } from "../parts/frame-view.ts";

/** How well an account is secured, from the best to the least. */
export type SecurityLevel = "passkey" | "two_factors" | "external" | "password" | "nothing";

/** The single change that would help most. */
export type Suggestion =
  | "verify_email"
  | "add_passkey"
  | "add_totp"
  | "add_recovery_codes"
  | "set_password"
  | "renew_password";

export interface AccountHomeModel extends AccountFrame {
  readonly level: SecurityLevel;
  readonly suggestion?: { readonly kind: Suggestion; readonly href: Href } | undefined;
}

export function accountHomePage(context: PageContext, model: AccountHomeModel): Html {
  const { level, suggestion, account, hrefs } = model;
  const isGood = level !== "password" && level !== "nothing";
  return accountPage(context, model, {
    title: context.say("account.home.title"),
    intro: context.sayHtml("account.home.text", { name: strong(account.displayName) }),
    body: html`<section class="panel stack level ${isGood ? "success" : "warning"}" aria-labelledby="security">${icon(isGood ? "shield" : "warning")}<h2 id="security">${context.say("account.home.security")}</h2>
<p>${context.say(`account.level.${level}`)}</p>
${
  suggestion !== undefined &&
  html`<p class="hint">${context.say(`account.suggest.${suggestion.kind}.text`)}</p>
<div class="acts">${buttonLink(suggestion.href, context.say(`account.suggest.${suggestion.kind}`))}</div>`
}</section>
<ul class="plain tiles">${partsOf(model)
      .filter((part) => part !== "home")
      .map(
        (part) =>
          html`<li class="tile">${icon(partIcons[part])}${link(hrefs[part], context.say(`account.${part}.name`))}<p class="hint">${context.say(`account.${part}.hint`)}</p></li>`,
      )}</ul>`,
  });
}
