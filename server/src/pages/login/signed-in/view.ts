import { buttonLink, type Href, type Html, href, html, type PageContext, page } from "../../../html/index.ts";
import { statusHeading } from "../../parts/client.ts";
import { type AccountView, accountBox } from "../parts/account.ts";
import { linkTiles, type PageLinks } from "../parts/page-links.ts";
import { renewPassword } from "../parts/renew-password.ts";

/** Signed in, and no application is waiting. */
export interface SignedInModel {
  readonly account: AccountView;
  /** Where to change the password, when it will soon expire. */
  readonly renewHref?: Href | undefined;
  readonly links: PageLinks;
  readonly signOutHref: Href;
}

export function signedInPage(context: PageContext, model: SignedInModel): Html {
  const title = context.say("signed_in.title");
  return page(context, {
    title,
    body: html`${statusHeading("success", title, html`<p>${context.say("signed_in.text")}</p>`)}
${accountBox(model.account)}
${renewPassword(context, model.renewHref)}
${linkTiles(context, { accountHref: href("/ui/account"), ...model.links })}
${buttonLink(model.signOutHref, context.say("start.sign_out"), "secondary")}`,
  });
}
