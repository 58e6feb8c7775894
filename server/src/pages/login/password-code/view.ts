import type { ProviderKind } from "../../../domain/identity-provider/index.ts";
import {
  arrangeErrors,
  buttonLink,
  type FormError,
  field,
  form,
  given,
  type Href,
  type Html,
  html,
  link,
  notice,
  type PageContext,
  page,
  providerIcon,
  withIcon,
} from "../../../html/index.ts";
import { heading, statusHeading } from "../../parts/client.ts";
import { newPasswordField, type PasswordRules } from "../parts/new-password.ts";

/**
 * Why the user sets a password with a code: the account is new, an invitation is accepted, or the password was
 * forgotten.
 */
export type PasswordCodePurpose = "initialization" | "invitation" | "password_reset";

/** Names of the inputs. */
export type PasswordCodeField = "code" | "new_password" | "new_password_repeated";

/**
 * Asks for the code of a message and for a password, and confirms the change. Opening a link does not consume the code.
 */
export type PasswordCodeModel =
  | {
      readonly outcome: "asked";
      readonly purpose: PasswordCodePurpose;
      readonly action: Href;
      /** The entered code, or that of the link; empty otherwise. */
      readonly code: string;
      readonly rules: PasswordRules;
      /** Alternatives to the password: a passkey, or none is needed, where users sign in elsewhere. */
      readonly methods?: {
        readonly password: boolean;
        readonly passkey: boolean;
        /** Providers for signing in; each posts its id as `provider`. */
        readonly providers: readonly { readonly id: string; readonly name: string; readonly kind?: ProviderKind }[];
      };
      /** Where to request another message, after a wrong code. */
      readonly againAction?: Href | undefined;
      /** Where to start again after a wrong code, when no message can be requested here. */
      readonly restartHref?: Href | undefined;
      /** Another message was requested. */
      readonly isSentAgain?: boolean;
      readonly errors?: readonly FormError<PasswordCodeField>[];
    }
  | { readonly outcome: "done"; readonly signInHref: Href };

const onlyPassword = { password: true, passkey: false, providers: [] };

export function passwordCodePage(context: PageContext, model: PasswordCodeModel): Html {
  if (model.outcome === "done") {
    const title = context.say("password_code.done");
    return page(context, {
      title,
      body: html`${statusHeading("success", title, html`<p>${context.say("password_code.done_text")}</p>`)}
${buttonLink(model.signInHref, context.say("start.sign_in"))}`,
    });
  }
  const { purpose, action, code, rules, againAction, methods = onlyPassword } = model;
  const text = methods.password ? (`password_code.${purpose}.text` as const) : "verify_email.text";
  const title = context.say(`password_code.${purpose}.title`);
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.say(text)}</p>`)}
${model.isSentAgain === true && notice("success", context.say("password_code.again_text"), { role: "status" })}
${errors.summary}
${form(context, {
  action,
  body: html`${field(context, {
    type: "text",
    autocomplete: "one-time-code",
    name: "code",
    label: context.say("verify_email.code"),
    value: code,
    error: errors.of("code"),
    autofocus: errors.focuses("code", code === ""),
    enterKeyHint: "next",
  })}
${methods.password && newPasswordField(context, { name: "new_password", label: context.say("password_code.password"), rules, errors })}`,
  submit: { label: context.say(methods.password ? "password_code.submit" : "verify_email.submit") },
  ...(methods.passkey && { hidden: { passkeys: "" } }),
  others: [
    ...(methods.passkey
      ? [{ name: "with", value: "passkey", label: withIcon("passkey", context.say("passkey.create")) }]
      : []),
    ...methods.providers.map(({ id, name, kind }) => ({
      name: "provider",
      value: id,
      label: html`${providerIcon(kind)}<span>${context.sayHtml("login_name.provider", { name: given(name) })}</span>`,
    })),
  ],
})}
${againAction !== undefined && form(context, { action: againAction, submit: { label: context.say("password_code.again"), kind: "quiet" } })}
${model.restartHref !== undefined && html`<p class="links">${link(model.restartHref, context.say("error.restart"))}</p>`}`,
  });
}
