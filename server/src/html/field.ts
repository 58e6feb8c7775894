import type { PageContext } from "./context.ts";
import type { FieldError } from "./errors.ts";
import { attributes, type Html, type HtmlValue, html } from "./html.ts";

/**
 * The types of input, each with its permitted autofill tokens (HTML §4.10.18.7). An input without a token does not
 * compile, and neither does a password with a value: passwords are never sent back.
 */
export type Control =
  | {
      readonly type: "password";
      readonly autocomplete: "current-password" | "current-password webauthn" | "new-password";
      readonly value?: never;
    }
  | { readonly type: "email"; readonly autocomplete: "email" | "username webauthn"; readonly value?: string }
  | { readonly type: "tel"; readonly autocomplete: "tel"; readonly value?: string }
  | { readonly type: "text"; readonly autocomplete: TextToken; readonly value?: string };

type TextToken =
  | "username"
  | "username webauthn"
  | "name"
  | "given-name"
  | "family-name"
  | "nickname"
  | "organization"
  | "one-time-code"
  // For secrets that password managers should not store: recovery, device and setup codes.
  | "off";

/** All tokens, for the tests that check rendered pages. */
export const autocompleteTokens: readonly Control["autocomplete"][] = [
  "username",
  "username webauthn",
  "current-password",
  "current-password webauthn",
  "new-password",
  "one-time-code",
  "name",
  "given-name",
  "family-name",
  "nickname",
  "organization",
  "email",
  "tel",
  "off",
];

export type Field = Control & {
  /** Name in the form; also the id that errors link to. */
  readonly name: string;
  readonly label: string;
  readonly hint?: HtmlValue;
  readonly error?: FieldError | undefined;
  /** Fields are required by default; an optional one says so beside its label. */
  readonly optional?: boolean;
  readonly autofocus?: boolean;
  /** Ids of further elements that describe the input, such as a list of rules. */
  readonly describedBy?: string;
  readonly enterKeyHint?: "next" | "go" | "done";
  readonly maximumLength?: number;
  /** For codes that consist mostly of digits: phones show the number keyboard first. */
  readonly isNumeric?: boolean;
  /** Shown after the input, such as the domain that completes a name. */
  readonly suffix?: string | undefined;
};

/**
 * Renders a labeled input with its hint and its error. Passwords get a button that shows them, once the script has
 * loaded.
 */
export function field(context: PageContext, options: Field): Html {
  const hintId = options.hint === undefined ? undefined : `${options.name}-hint`;
  const describedBy = [options.error?.id, hintId, options.describedBy].filter((id) => id !== undefined).join(" ");
  const { suffix } = options;
  return html`<div class="field">
<label for="${options.name}">${options.label}${options.optional === true && html` <span class="muted">${context.say("form.optional")}</span>`}</label>
${hintId !== undefined && html`<p class="hint" id="${hintId}">${options.hint}</p>`}
<div class="control"><input${inputAttributes(options, describedBy)}>${
    options.type === "password" && revealButton(context, options.name)
  }${suffix !== undefined && html`<span class="suffix"><bdi>${suffix}</bdi></span>`}</div>
${errorLine(options.error)}</div>`;
}

/** Beneath the input, so that inputs beside each other stay on one line. */
const errorLine = (error: FieldError | undefined): Html | false =>
  error?.message !== undefined && html`<p class="error" id="${error.id}">${error.message}</p>`;

function inputAttributes(options: Field, describedBy: string): Html {
  const isFreeText = options.autocomplete !== "given-name" && options.autocomplete !== "family-name";
  return attributes({
    id: options.name,
    name: options.name,
    type: options.type,
    value: options.value,
    autocomplete: options.autocomplete,
    required: options.optional !== true,
    "aria-invalid": options.error === undefined ? undefined : "true",
    "aria-describedby": describedBy === "" ? undefined : describedBy,
    autocapitalize: options.type === "text" && isNameLike(options.autocomplete) ? "none" : undefined,
    spellcheck: isFreeText && options.type === "text" ? "false" : undefined,
    dir: options.type === "text" ? "auto" : undefined,
    inputmode: options.isNumeric === true ? "numeric" : undefined,
    enterkeyhint: options.enterKeyHint,
    maxlength: options.maximumLength,
    autofocus: options.autofocus,
  });
}

// Values that are compared exactly must not be "corrected" by a phone's keyboard.
const isNameLike = (token: Control["autocomplete"]): boolean => /^(?:username|one-time-code|off)/.test(token);

// Hidden until the script that makes it work has loaded.
const revealButton = (context: PageContext, name: string): Html =>
  html`<button type="button" class="reveal" hidden${attributes({
    "aria-controls": name,
    "aria-label": context.say("password.reveal_label"),
    "data-conceal": context.say("password.conceal"),
    "data-conceal-label": context.say("password.conceal_label"),
  })}>${context.say("password.reveal")}</button>`;

export interface Checkbox {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  readonly label: HtmlValue;
}

/** One choice of a set; put several into a `fieldset`. */
export const checkbox = ({ name, value, checked, label }: Checkbox): Html =>
  html`<label class="choice"><input type="checkbox"${attributes({ name, value, checked })}>${label}</label>`;

/**
 * Renders the username for password managers, in a form that asks only for the password. It is hidden and not
 * focusable, because the page already shows the name.
 */
export const usernameForManagers = (loginName: string): Html =>
  html`<input class="visually-hidden" type="text" name="login_name" autocomplete="username" tabindex="-1" aria-hidden="true" readonly${attributes({ value: loginName })}>`;

export interface Select {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: "language" | "sex";
  readonly value: string;
  /** `lang`: the language that the label itself is in, where it is another. */
  readonly options: readonly { readonly value: string; readonly label: string; readonly lang?: string | undefined }[];
  readonly error?: FieldError | undefined;
}

/** Renders a choice among a few known options. It always has a value, so it is never missing. */
export const select = ({ name, label, autocomplete, value, options, error }: Select): Html =>
  html`<div class="field">
<label for="${name}">${label}</label>
<div class="control"><select id="${name}"${attributes({ name, autocomplete, "aria-invalid": error === undefined ? undefined : "true", "aria-describedby": error?.id })}>${options.map(
    (option) =>
      html`<option${attributes({ value: option.value, lang: option.lang, selected: option.value === value })}>${option.label}</option>`,
  )}</select></div>
${errorLine(error)}</div>`;
