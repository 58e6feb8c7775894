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
  usernameForManagers,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { enteredName } from "../parts/account.ts";
import { type KeyCeremony, keyForm } from "../parts/key-form.ts";

/**
 * Second page: the password. Posts `login_name` (for password managers only) and `password`. The same for unknown
 * usernames.
 */
export interface PasswordModel {
  readonly action: Href;
  readonly client?: ClientView | undefined;
  /** As it was entered; without any data of the account. */
  readonly loginName: string;
  /** Back to the first page, with the name kept. */
  readonly changeHref: Href;
  readonly forgotHref?: Href | undefined;
  /** Asks for a passkey, when the settings allow passkeys. */
  readonly passkey?: KeyCeremony | undefined;
  readonly errors?: readonly FormError<"password">[];
}

export function passwordPage(context: PageContext, model: PasswordModel): Html {
  const title = context.say("password.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${enteredName(context, model.loginName, model.changeHref)}
${errors.summary}
${form(context, {
  action: model.action,
  body: html`${usernameForManagers(model.loginName)}${field(context, {
    type: "password",
    autocomplete: "current-password",
    name: "password",
    label: context.say("password.label"),
    error: errors.of("password"),
    autofocus: errors.focuses("password", true),
    enterKeyHint: "go",
  })}`,
  submit: { label: context.say("password.submit") },
})}
${model.forgotHref !== undefined && html`<p class="links">${link(model.forgotHref, context.say("password.forgot"))}</p>`}
${
  model.passkey !== undefined &&
  html`<p class="or">${context.say("login_name.or")}</p>
${keyForm(context, model.passkey, { label: context.say("login_name.passkey"), isSecondary: true })}`
}`,
  });
}
