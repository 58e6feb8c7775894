import {
  arrangeErrors,
  buttonLink,
  type FormError,
  type Href,
  type Html,
  html,
  notice,
  type PageContext,
  page,
} from "../../../html/index.ts";
import { heading, statusHeading } from "../../parts/client.ts";
import { codeForm } from "../../parts/code-form.ts";
import { resendForm } from "../../parts/resend-form.ts";

/** What a code verifies. */
export type VerifiedContact = "email" | "phone";

/**
 * Asks for the code that was sent to an email address or a phone number, and confirms a correct one. Opening a link
 * sends nothing.
 */
export type VerifyContactModel =
  | {
      readonly outcome: "asked";
      readonly contact?: VerifiedContact;
      /** Where to request another code, and in how many milliseconds it can be sent. */
      readonly resend?: { readonly action: Href; readonly wait: number } | undefined;
      /** Another code was requested. */
      readonly isSentAgain?: boolean;
      readonly action: Href;
      /** The entered code, or that of the link; empty otherwise. */
      readonly code: string;
      readonly errors?: readonly FormError<"code">[];
    }
  | { readonly outcome: "verified"; readonly contact?: VerifiedContact; readonly startHref: Href };

export function verifyContactPage(context: PageContext, model: VerifyContactModel): Html {
  if (model.outcome === "verified") {
    const title = context.say(model.contact === "phone" ? "account.news.phone_verified" : "verify_email.verified");
    return page(context, {
      title,
      body: html`${statusHeading("success", title, html`<p>${context.say("signed_in.text")}</p>`)}
${buttonLink(model.startHref, context.say("error.start"), "secondary")}`,
    });
  }
  const title = context.say(model.contact === "phone" ? "account.contact.verify_phone" : "verify_email.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.say("verify_email.text")}</p>`)}
${model.isSentAgain === true && notice("success", context.say("account.news.code_sent"), { role: "status" })}
${errors.summary}
${codeForm(context, { action: model.action, code: model.code, errors })}
${
  model.resend !== undefined && resendForm(context, { ...model.resend, label: context.say("account.contact.resend") })
}`,
  });
}
