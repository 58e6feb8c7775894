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
  type PageContext,
  page,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { type ExternalAccountView, sayOfAccount } from "../parts/external-account.ts";
import { organizationQuestion } from "../parts/organization-question.ts";

/** Required values of a user; also the names of the inputs. */
export const externalFields = ["given_name", "family_name", "email"] as const;
export type ExternalField = (typeof externalFields)[number];

type Values = Readonly<Partial<Record<ExternalField, string>>>;

/**
 * For a new user who signed in at a provider: register, or link the account to an existing user. The provider's values
 * are shown and not asked for again; inputs ask for what is missing or invalid.
 */
export interface ExternalModel extends ExternalAccountView {
  readonly client?: ClientView | undefined;
  /** The organization of the user, where nothing but a link named it. */
  readonly organizationName?: string | undefined;
  readonly known: Values;
  /** Whether the provider verified the address. */
  readonly isEmailVerified: boolean;
  /** The entered values. */
  readonly values: Values;
  /** Registers the user; undefined when the settings forbid it. */
  readonly registerAction: Href | undefined;
  /** The account has been linked to a user meanwhile, so nothing is asked. */
  readonly isKnown: boolean;
  /** To the sign-in with an existing account; undefined when linking is not allowed. */
  readonly linkAction: Href | undefined;
  readonly otherHref: Href;
  readonly errors?: readonly FormError<ExternalField>[];
}

export function externalPage(context: PageContext, model: ExternalModel): Html {
  const { registerAction, linkAction, isKnown } = model;
  const title = context.say(isKnown ? "external.known.title" : "external.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
<p>${sayOfAccount(context, isKnown ? "known" : "unknown", model)}</p>
${organizationQuestion(context, model.organizationName)}
${errors.summary}
${registerAction !== undefined && registration(context, model, registerAction, errors)}
${registerAction !== undefined && linkAction !== undefined && html`<p class="or">${context.say("login_name.or")}</p>`}
${linkAction !== undefined && existing(context, linkAction, registerAction === undefined)}
<p class="links">${link(model.otherHref, context.say("external.other"))}</p>`,
  });
}

const existing = (context: PageContext, action: Href, isOnly: boolean): Html =>
  form(context, {
    action,
    body: html`<p class="hint">${context.say("external.existing_hint")}</p>`,
    submit: { kind: isOnly ? "primary" : "secondary", label: context.say("external.existing") },
  });

function registration(
  context: PageContext,
  model: ExternalModel,
  action: Href,
  errors: FormErrors<ExternalField>,
): Html {
  const label = context.say(model.isKnown ? "external.continue" : "register.submit");
  if (model.isKnown) return form(context, { action, submit: { label } });
  const isAsked = (name: ExternalField): boolean =>
    model.known[name] === undefined || model.values[name] !== undefined || errors.of(name) !== undefined;
  const asked = externalFields.filter(isAsked);
  return form(context, {
    action,
    body: html`${knownFacts(context, model, (name) => !isAsked(name))}
${asked.map((name) => input(context, model, name, errors, name === asked[0]))}`,
    submit: { label },
  });
}

function knownFacts(
  context: PageContext,
  { known, isEmailVerified }: ExternalModel,
  isShown: (name: ExternalField) => boolean,
): Html | false {
  const facts = externalFields.filter(isShown);
  return (
    facts.length > 0 &&
    html`<dl class="facts">${facts.map(
      (name) =>
        html`<div><dt>${context.say(`setup.${name}`)}</dt><dd>${given(known[name] ?? "")}</dd>${
          name === "email" &&
          html`<dd class="hint">${context.say(isEmailVerified ? "external.email_proven" : "external.email_unproven")}</dd>`
        }</div>`,
    )}</dl>`
  );
}

function input(
  context: PageContext,
  { known, values }: ExternalModel,
  name: ExternalField,
  errors: FormErrors<ExternalField>,
  isFirst: boolean,
): Html {
  const common = {
    name,
    label: context.say(`setup.${name}`),
    value: values[name] ?? known[name] ?? "",
    error: errors.of(name),
    autofocus: errors.focuses(name, isFirst),
  };
  switch (name) {
    case "given_name":
      return field(context, { type: "text", autocomplete: "given-name", ...common });
    case "family_name":
      return field(context, { type: "text", autocomplete: "family-name", ...common });
    case "email":
      return field(context, {
        type: "email",
        autocomplete: "email",
        ...common,
        hint: context.say("register.email_hint"),
      });
    default:
      return name satisfies never;
  }
}
