import { buttonLink, form, type Href, type Html, html, type PageContext, page } from "../../html/index.ts";
import { enteredName } from "../parts/account.ts";
import { type ClientView, clientLine, heading } from "../parts/client.ts";

/** Sends a code for a new password, and says that it may be on its way: the same for names that nobody has. */
export type ForgottenModel =
  | {
      readonly step: "ask";
      readonly client?: ClientView | undefined;
      readonly loginName: string;
      readonly changeHref: Href;
      readonly action: Href;
    }
  | { readonly step: "sent"; readonly loginName: string; readonly changeHref: Href; readonly backHref: Href };

export function forgottenPage(context: PageContext, model: ForgottenModel): Html {
  const title = context.say(`forgotten.${model.step}_title`);
  const name = enteredName(context, model.loginName, model.changeHref);
  if (model.step === "sent") {
    return page(context, {
      title,
      body: html`${heading(title)}
${name}
<p>${context.say("forgotten.sent_text")}</p>
${buttonLink(model.backHref, context.say("forgotten.back"), "secondary")}`,
    });
  }
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${name}
<p>${context.say("forgotten.ask_text")}</p>
${form(context, { action: model.action, submit: { label: context.say("forgotten.submit") } })}`,
  });
}
