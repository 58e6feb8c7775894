import {
  arrangeErrors,
  buttonLink,
  type FormError,
  type Href,
  type Html,
  html,
  link,
  notice,
  type PageContext,
  page,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading, statusHeading } from "../../parts/client.ts";
import { codeForm } from "../../parts/code-form.ts";
import { resendForm } from "../../parts/resend-form.ts";
import { enteredName } from "../parts/account.ts";

/** Asks for the code that was sent to the address of a new account: the same for addresses that already have one. */
export type RegisterConfirmModel =
  | {
      readonly step: "asked";
      readonly client?: ClientView | undefined;
      readonly address: string;
      readonly action: Href;
      /** Back to the entered values. */
      readonly changeHref: Href;
      /** Where to request another message, and in how many milliseconds it can be sent. */
      readonly resend: { readonly action: Href; readonly wait: number };
      readonly signInHref: Href;
      /** The code in the link; empty otherwise. */
      readonly code: string;
      /** Another message was requested. */
      readonly isSentAgain?: boolean;
      readonly errors?: readonly FormError<"code">[];
    }
  /** A link that belongs to another browser, or was consumed. */
  | { readonly step: "elsewhere"; readonly registerHref: Href; readonly signInHref: Href };

export function registerConfirmPage(context: PageContext, model: RegisterConfirmModel): Html {
  if (model.step === "elsewhere") return elsewhere(context, model);
  const title = context.say("verify_email.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${statusHeading("mail", title, clientLine(context, model.client))}
${enteredName(context, model.address, model.changeHref)}
${model.isSentAgain === true && notice("success", context.say("account.news.code_sent"), { role: "status" })}
${errors.summary}
<p>${context.say("register.confirm_text")}</p>
${codeForm(context, { action: model.action, code: model.code, errors })}
${resendForm(context, { ...model.resend, label: context.say("second_factor.send_again") })}
<p class="links">${link(model.signInHref, context.say("register.sign_in"))}</p>`,
  });
}

function elsewhere(context: PageContext, model: Extract<RegisterConfirmModel, { step: "elsewhere" }>): Html {
  const title = context.say("register.elsewhere_title");
  return page(context, {
    title,
    body: html`${heading(title, html`<p>${context.say("register.elsewhere_text")}</p>`)}
${buttonLink(model.registerHref, context.say("error.restart"), "secondary")}
<p class="links">${link(model.signInHref, context.say("register.sign_in"))}</p>`,
  });
}
