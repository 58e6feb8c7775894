import {
  arrangeErrors,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
  page,
  usernameForManagers,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { enteredName } from "../parts/account.ts";
import { newPasswordField, type PasswordRules } from "../parts/new-password.ts";

/**
 * Replaces a password before the sign-in continues. Posts `login_name` (for password managers only),
 * `current_password`, `new_password` and, without script, `new_password_repeated`.
 */
export interface PasswordChangeModel {
  readonly action: Href;
  readonly client?: ClientView | undefined;
  /** As it was entered, for password managers. */
  readonly loginName: string;
  /** As the page shows it. */
  readonly shownName: string;
  readonly changeHref: Href;
  /** Why: valid for one sign-in, an administrator requires it, or expired. */
  readonly reason: "temporary" | "required" | "expired";
  readonly rules: PasswordRules;
  readonly errors?: readonly FormError<"current_password" | "new_password" | "new_password_repeated">[];
}

export function passwordChangePage(context: PageContext, model: PasswordChangeModel): Html {
  const title = context.say("password_change.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${enteredName(context, model.shownName, model.changeHref)}
<p>${context.say(`password_change.${model.reason}`)}</p>
${errors.summary}
${form(context, {
  action: model.action,
  body: html`${usernameForManagers(model.loginName)}${field(context, {
    type: "password",
    autocomplete: "current-password",
    name: "current_password",
    label: context.say("password_change.current"),
    error: errors.of("current_password"),
    autofocus: errors.focuses("current_password", true),
    enterKeyHint: "next",
  })}
${newPasswordField(context, { name: "new_password", label: context.say("password_change.new"), rules: model.rules, errors })}`,
  submit: { label: context.say("password_change.submit") },
})}`,
  });
}
