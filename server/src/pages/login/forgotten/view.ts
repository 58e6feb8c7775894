import {
  arrangeErrors,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  link,
  type PageContext,
  page,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading, statusHeading } from "../../parts/client.ts";
import { codeForm } from "../../parts/code-form.ts";
import { resendForm } from "../../parts/resend-form.ts";
import { enteredName } from "../parts/account.ts";

/** Sends a code for a new password, and says that it may be on its way: the same for unknown usernames. */
export type ForgottenModel =
  | {
      /** No user was named yet: posts `login_name`. */
      readonly step: "name";
      readonly client?: ClientView | undefined;
      readonly loginName: string;
      readonly errors?: readonly FormError<"login_name">[];
      readonly action: Href;
      readonly backHref: Href;
    }
  | {
      readonly step: "ask";
      readonly client?: ClientView | undefined;
      readonly loginName: string;
      readonly changeHref: Href;
      readonly action: Href;
    }
  | {
      /** Posts the `code` of the message. */
      readonly step: "sent";
      readonly loginName: string;
      readonly changeHref: Href;
      readonly action: Href;
      /** The entered code; empty otherwise. */
      readonly code: string;
      readonly errors?: readonly FormError<"code">[];
      /** Where to request another message, and in how many milliseconds it can be sent. */
      readonly resend: { readonly action: Href; readonly wait: number };
      readonly backHref: Href;
    };

export function forgottenPage(context: PageContext, model: ForgottenModel): Html {
  if (model.step === "name") return namePage(context, model);
  if (model.step === "sent") return sentPage(context, model);
  const title = context.say("forgotten.ask_title");
  const name = enteredName(context, model.loginName, model.changeHref);
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${name}
<p>${context.say("forgotten.ask_text")}</p>
${form(context, { action: model.action, submit: { label: context.say("forgotten.submit") } })}`,
  });
}

function sentPage(context: PageContext, model: Extract<ForgottenModel, { step: "sent" }>): Html {
  const title = context.say("forgotten.sent_title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${statusHeading("mail", title)}
${enteredName(context, model.loginName, model.changeHref)}
${errors.summary}
<p>${context.say("forgotten.sent_text")}</p>
${codeForm(context, { action: model.action, code: model.code, errors })}
${resendForm(context, { ...model.resend, label: context.say("second_factor.send_again") })}
<p class="links">${link(model.backHref, context.say("forgotten.back"))}</p>`,
  });
}

function namePage(context: PageContext, model: Extract<ForgottenModel, { step: "name" }>): Html {
  const title = context.say("forgotten.ask_title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${errors.summary}
<p>${context.say("forgotten.ask_text")}</p>
${form(context, {
  action: model.action,
  body: field(context, {
    type: "text",
    autocomplete: "username",
    name: "login_name",
    label: context.say("login_name.label"),
    value: model.loginName,
    error: errors.of("login_name"),
    autofocus: errors.focuses("login_name", true),
    enterKeyHint: "go",
  }),
  submit: { label: context.say("forgotten.submit") },
})}
<p class="links">${link(model.backHref, context.say("forgotten.back"))}</p>`,
  });
}
