import { type Href, type Html, html, link, type PageContext } from "../../html/index.ts";

/** Tells somebody whose password will soon be too old, where he passes by, while there is time. Nothing where there is no such address. */
export const renewPassword = (context: PageContext, to: Href | undefined): Html | undefined =>
  to &&
  html`<div class="notice"><p>${context.say("account.suggest.renew_password.text")}</p>
<p class="links">${link(to, context.say("account.suggest.renew_password"))}</p></div>`;
