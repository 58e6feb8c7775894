import type { ProviderKind } from "../../../domain/identity-provider/index.ts";
import {
  arrangeErrors,
  type FormError,
  type FormErrors,
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
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { type ExternalAccountView, sayOfAccount } from "../parts/external-account.ts";
import { type KeyCeremony, keyForm } from "../parts/key-form.ts";

/** An identity provider as the page offers it. */
interface OfferedProvider {
  readonly id: string;
  /** Undefined where the page does not say it: "the identity provider", with a number where there are several. */
  readonly name: string | undefined;
  /** Decides its mark; undefined as the name is. */
  readonly kind?: ProviderKind | undefined;
  /** The last sign-in in this browser used it. */
  readonly isLast?: boolean;
}

/** Names of the inputs. */
type LoginNameField = "login_name" | "password";

/** First page: asks for the user. Posts `login_name`, and `password` where both are asked for. */
export interface LoginNameModel {
  readonly action: Href;
  readonly client?: ClientView | undefined;
  /** The entered name, or the application's hint; empty otherwise. */
  readonly loginName: string;
  /** The suffix of usernames that need not be typed. */
  readonly suffix?: string | undefined;
  /** Present when the password is asked for as well. */
  readonly password?: { readonly forgotHref?: Href | undefined } | undefined;
  readonly errors?: readonly FormError<LoginNameField>[];
  /** Identity providers where users may sign in instead; each posts `provider`. */
  readonly providers?: readonly OfferedProvider[];
  readonly providerAction?: Href;
  /** The account at a provider that will be linked with the user who signs in. */
  readonly linking?: ExternalAccountView | undefined;
  /** Whether a name can be entered; not where users sign in only at providers. */
  readonly hasForm?: boolean;
  /** Asks for a passkey, when the settings allow passkeys. */
  readonly passkey?: KeyCeremony | undefined;
  /** Where an account can be created, when the policy allows it. */
  readonly registerHref?: Href | undefined;
}

export function loginNamePage(context: PageContext, model: LoginNameModel): Html {
  const title = context.say("login_name.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${model.linking !== undefined && notice("info", sayOfAccount(context, "linking", model.linking))}
${errors.summary}
${model.hasForm !== false && nameForm(context, model, errors)}
${otherMethods(context, model)}
${model.registerHref !== undefined && html`<p class="links">${link(model.registerHref, context.say("login_name.register"))}</p>`}`,
  });
}

function nameForm(context: PageContext, model: LoginNameModel, errors: FormErrors<LoginNameField>): Html {
  const { password } = model;
  // A known user need not type the name again.
  const isNamed = password !== undefined && model.loginName !== "";
  return html`${form(context, {
    action: model.action,
    body: html`${field(context, {
      type: "text",
      autocomplete: "username webauthn",
      name: "login_name",
      label: context.say("login_name.label"),
      value: model.loginName,
      error: errors.of("login_name"),
      autofocus: errors.focuses("login_name", !isNamed),
      enterKeyHint: "next",
      suffix: model.suffix,
    })}${password !== undefined && passwordField(context, errors, isNamed)}`,
    submit: { label: context.say(password === undefined ? "login_name.submit" : "password.submit") },
  })}
${password?.forgotHref !== undefined && html`<p class="links">${link(password.forgotHref, context.say("password.forgot"))}</p>`}`;
}

const passwordField = (context: PageContext, errors: FormErrors<LoginNameField>, isFirst: boolean): Html =>
  field(context, {
    type: "password",
    autocomplete: "current-password webauthn",
    name: "password",
    enterKeyHint: "go",
    label: context.say("password.label"),
    error: errors.of("password"),
    autofocus: errors.focuses("password", isFirst),
  });

function otherMethods(
  context: PageContext,
  { passkey, providers = [], providerAction, hasForm }: LoginNameModel,
): Html | undefined {
  const offered = providerAction === undefined ? [] : providers;
  if (passkey === undefined && offered.length === 0) return undefined;
  const label = context.say("login_name.passkey");
  return html`${hasForm !== false && html`<p class="or">${context.say("login_name.or")}</p>`}
<div class="stack">${passkey !== undefined && keyForm(context, passkey, { label, isSecondary: true, isAutofilled: true })}
${
  providerAction !== undefined &&
  offered.length > 0 &&
  html`<ul class="plain">${offered.map(
    ({ id, name, kind, isLast }, index) =>
      html`<li>${form(context, {
        action: providerAction,
        hidden: { provider: id },
        submit: {
          kind: "secondary",
          label: html`${providerIcon(kind)}<span>${providerLabel(context, name, offered.length > 1 ? index + 1 : undefined)}${isLast === true && html` <span class="muted">${context.say("login_name.last_used")}</span>`}</span>`,
        },
      })}</li>`,
  )}</ul>`
}</div>`;
}

function providerLabel(context: PageContext, name: string | undefined, number: number | undefined): Html | string {
  if (name !== undefined) return context.sayHtml("login_name.provider", { name: given(name) });
  if (number === undefined) return context.say("login_name.unnamed_provider");
  return context.say("login_name.numbered_provider", { number });
}
