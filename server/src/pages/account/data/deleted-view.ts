import { buttonLink, type Href, type Html, html, type PageContext, page } from "../../../html/index.ts";
import { heading } from "../../parts/client.ts";

/** The account was deleted, so none of its data is shown. */
export interface AccountDeletedModel {
  readonly startHref: Href;
}

export function accountDeletedPage(context: PageContext, { startHref }: AccountDeletedModel): Html {
  const title = context.say("account.deleted.title");
  return page(context, {
    title,
    body: html`${heading(title, html`<p>${context.say("account.deleted.text")}</p>`)}
${buttonLink(startHref, context.say("error.start"), "secondary")}`,
  });
}
