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
  notice,
  type PageContext,
  page,
  strong,
} from "../../../html/index.ts";
import { heading } from "../../parts/client.ts";
import { newPasswordField, type PasswordRules } from "../parts/new-password.ts";

/** Names of the inputs of the setup. `organization_name` only when it is asked for. */
export type SetupField =
  | "organization_name"
  | "given_name"
  | "family_name"
  | "email"
  | "username"
  | "password"
  | "new_password_repeated"
  | "setup_code";

/**
 * Creates the first administrator, by the single-use link with the code in its fragment. The code can be typed as well.
 */
export interface SetupModel {
  readonly action: Href;
  /** Host of this installation. */
  readonly host: string;
  /** The administrator's organization: its name when it exists, or `ask` to have it entered. */
  readonly organization: { readonly name: string } | "ask";
  /** The suffix that completes the username, such as `@doorward.localhost`; absent without one. */
  readonly loginNameSuffix?: string | undefined;
  /** The entered values, except the password. */
  readonly values: Readonly<Partial<Record<Exclude<SetupField, "password" | "new_password_repeated">, string>>>;
  readonly rules: PasswordRules;
  readonly errors?: readonly FormError<SetupField>[];
}

export function setupPage(context: PageContext, model: SetupModel): Html {
  const title = context.say("setup.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js", "setup.js"],
    body: html`${heading(title)}
${creates(context, model)}
${errors.summary}
${form(context, { action: model.action, body: fields(context, model, errors), submit: { label: context.say("setup.submit") } })}`,
  });
}

function creates(context: PageContext, { organization, host }: SetupModel): Html {
  const first =
    organization === "ask"
      ? context.say("setup.creates_named_organization")
      : context.sayHtml("setup.creates_organization", { organization: strong(organization.name) });
  return html`<div><p>${context.say("setup.intro")}</p>
<ul class="dots"><li>${first}</li><li>${context.sayHtml("setup.creates_administrator", { host: strong(host) })}</li></ul></div>`;
}

function fields(context: PageContext, model: SetupModel, errors: FormErrors<SetupField>): Html {
  const asksOrganization = model.organization === "ask";
  const common = (name: Exclude<SetupField, "password" | "new_password_repeated">, isFirst = false) => ({
    name,
    label: context.say(`setup.${name === "setup_code" ? "code" : name}`),
    value: model.values[name] ?? "",
    error: errors.of(name),
    autofocus: errors.focuses(name, isFirst),
  });
  const text = (control: Field): Html => field(context, control);
  return html`<p class="hint">${context.say("form.all_required")}</p>
${asksOrganization && text({ type: "text", autocomplete: "organization", ...common("organization_name", true) })}
<div class="pair">${text({ type: "text", autocomplete: "given-name", ...common("given_name", !asksOrganization) })}
${text({ type: "text", autocomplete: "family-name", ...common("family_name") })}</div>
${text({ type: "email", autocomplete: "email", ...common("email") })}
${text({
  type: "text",
  autocomplete: "username",
  ...common("username"),
  hint: context.say("setup.username_hint"),
  suffix: model.loginNameSuffix,
})}
${newPasswordField(context, { name: "password", label: context.say("setup.password"), rules: model.rules, errors })}
<div data-setup-code>${text({ type: "text", autocomplete: "off", ...common("setup_code"), hint: context.say("setup.code_hint") })}</div>
${notice("success", context.say("setup.code_taken"), { "data-setup-code-taken": true, hidden: true })}`;
}
