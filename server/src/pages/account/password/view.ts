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
  usernameForManagers,
} from "../../../html/index.ts";
import { newPasswordField, type PasswordRules } from "../../login/parts/new-password.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** Names of the inputs of a password. */
export type AccountPasswordField = "current_password" | "new_password" | "new_password_repeated";

/** Changes the password, or sets the first one. */
export interface AccountPasswordModel extends AccountFrame {
  readonly action: Href;
  readonly backHref: Href;
  readonly loginName: string;
  readonly hasPassword: boolean;
  readonly rules: PasswordRules;
  readonly errors?: readonly FormError<AccountPasswordField>[];
}

export function accountPasswordPage(context: PageContext, model: AccountPasswordModel): Html {
  const { action, backHref, loginName, hasPassword, rules } = model;
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title: context.say(hasPassword ? "account.password.change" : "account.password.add"),
    intro: context.say(hasPassword ? "account.password.text" : "account.password.add_text"),
    hasErrors: errors.any,
    body: html`${errors.summary}
<div class="panel stack">${form(context, {
      action,
      body: html`${usernameForManagers(loginName)}${
        hasPassword &&
        field(context, {
          type: "password",
          autocomplete: "current-password",
          name: "current_password",
          label: context.say("password_change.current"),
          error: errors.of("current_password"),
          autofocus: errors.focuses("current_password", true),
          enterKeyHint: "next",
        })
      }
${newPasswordField(context, { name: "new_password", label: context.say("password_change.new"), rules, errors })}`,
      submit: { label: context.say("password_code.submit") },
    })}
${buttonLink(backHref, context.say("account.cancel"), "secondary")}</div>`,
  });
}
