import { type Href, type Html, html, link, notice, type PageContext } from "../../../html/index.ts";

/** Renders a notice that the password will soon expire, with a link to change it; nothing without an address. */
export const renewPassword = (context: PageContext, to: Href | undefined): Html | undefined =>
  to &&
  notice(
    "warning",
    html`<p>${context.say("account.suggest.renew_password.text")}</p>
<p>${link(to, context.say("account.suggest.renew_password"))}</p>`,
  );
