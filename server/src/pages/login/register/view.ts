import {
  arrangeErrors,
  type Field,
  type FormError,
  type FormErrors,
  field,
  form,
  type Href,
  type Html,
  html,
  link,
  type PageContext,
  page,
  type SupportLink,
  supportLink,
  withIcon,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { newPasswordField, type PasswordRules } from "../parts/new-password.ts";
import { organizationQuestion } from "../parts/organization-question.ts";

/** Names of the inputs of a registration. */
export type RegisterField = "given_name" | "family_name" | "email" | "password" | "new_password_repeated";

/** Registers a new account. The email address is the username. */
export interface RegisterModel {
  readonly action: Href;
  readonly client?: ClientView | undefined;
  /** The organization that gets the account, where nothing but a link named it. */
  readonly organizationName?: string | undefined;
  /** The values that were entered, or are known of the user, except the password. */
  readonly values: Readonly<Partial<Record<"given_name" | "family_name" | "email", string>>>;
  readonly rules: PasswordRules;
  /**
   * Whether a passkey may replace the password; `with` selects it, and `passkeys` says whether the browser supports it.
   */
  readonly isPasskeyOffered?: boolean;
  /** Links to the terms of the account, where they are not those of the page. */
  readonly legalLinks?: readonly SupportLink[];
  /** To the sign-in, for users with an account. */
  readonly signInHref: Href;
  readonly errors?: readonly FormError<RegisterField>[];
}

export function registerPage(context: PageContext, model: RegisterModel): Html {
  const title = context.say("register.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${organizationQuestion(context, model.organizationName)}
${errors.summary}
${form(context, {
  action: model.action,
  body: html`${fields(context, model, errors)}${agreement(context, model)}`,
  submit: { label: context.say("register.submit") },
  ...(model.isPasskeyOffered === true && {
    hidden: { passkeys: "" },
    others: [{ name: "with", value: "passkey", label: withIcon("passkey", context.say("register.with_passkey")) }],
  }),
})}
<p class="links">${link(model.signInHref, context.say("register.sign_in"))}</p>`,
  });
}

/** What the user accepts with the account: the terms and the privacy policy, where the operator has published them. */
function agreement(
  context: PageContext,
  { legalLinks = context.supportLinks }: Pick<RegisterModel, "legalLinks">,
): Html | undefined {
  const accepted = legalLinks.filter(({ kind }) => kind === "terms" || kind === "privacy");
  if (accepted.length === 0) return undefined;
  return html`
<div class="links"><p class="hint">${context.say("register.accept")}</p>
<ul class="plain">${accepted.map((each) => html`<li>${supportLink(context, each)}</li>`)}</ul></div>`;
}

function fields(context: PageContext, { values, rules }: RegisterModel, errors: FormErrors<RegisterField>): Html {
  const common = (name: "given_name" | "family_name" | "email", isFirst = false) => ({
    name,
    label: context.say(`setup.${name}`),
    value: values[name] ?? "",
    error: errors.of(name),
    autofocus: errors.focuses(name, isFirst),
  });
  const text = (control: Field): Html => field(context, control);
  return html`<p class="hint">${context.say("form.all_required")}</p>
<div class="pair">${text({ type: "text", autocomplete: "given-name", ...common("given_name", true) })}
${text({ type: "text", autocomplete: "family-name", ...common("family_name") })}</div>
${text({ type: "email", autocomplete: "email", ...common("email"), hint: context.say("register.email_hint") })}
${newPasswordField(context, { name: "password", label: context.say("setup.password"), rules, errors })}`;
}
