import {
  arrangeErrors,
  buttonLink,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
  page,
} from "../../html/index.ts";
import { heading } from "../parts/client.ts";
import { newPasswordField, type PasswordRules } from "../parts/new-password.ts";

/** Why somebody chooses a password with a code: the account begins, an invitation is accepted, or the password was forgotten. */
export type PasswordCodePurpose = "initialization" | "invitation" | "password_reset";

/** Names of the inputs. */
export type PasswordCodeField = "code" | "new_password" | "new_password_repeated";

/** Asks for the code of a message and for a password, and says that it is set. Opening a link uses nothing up. */
export type PasswordCodeModel =
  | {
      readonly outcome: "asked";
      readonly purpose: PasswordCodePurpose;
      readonly action: Href;
      /** What was typed before, or came with the link; empty otherwise. */
      readonly code: string;
      readonly rules: PasswordRules;
      readonly errors?: readonly FormError<PasswordCodeField>[];
    }
  | { readonly outcome: "done"; readonly signInHref: Href };

export function passwordCodePage(context: PageContext, model: PasswordCodeModel): Html {
  if (model.outcome === "done") {
    const title = context.say("password_code.done");
    return page(context, {
      title,
      body: html`${heading(title, html`<p>${context.say("password_code.done_text")}</p>`)}
${buttonLink(model.signInHref, context.say("start.sign_in"))}`,
    });
  }
  const { purpose, action, code, rules } = model;
  const title = context.say(`password_code.${purpose}.title`);
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.say(`password_code.${purpose}.text`)}</p>`)}
${errors.summary}
${form(context, {
  action,
  body: html`${field(context, {
    ...{ type: "text", autocomplete: "one-time-code", name: "code", label: context.say("verify_email.code") },
    ...{ value: code, error: errors.of("code"), autofocus: errors.focuses("code", code === ""), enterKeyHint: "next" },
  })}
${newPasswordField(context, { name: "new_password", label: context.say("password_code.password"), rules, errors })}`,
  submit: { label: context.say("password_code.submit") },
})}`,
  });
}
