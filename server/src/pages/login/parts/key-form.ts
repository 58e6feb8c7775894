import {
  attributes,
  form,
  type Href,
  type Html,
  html,
  notice,
  type PageContext,
  withIcon,
} from "../../../html/index.ts";

/** Asks the browser for a passkey or security key. */
export interface KeyCeremony {
  /** Receives `credential`: the browser's credential. Empty without the script. */
  readonly action: Href;
  /** Answers with the argument of `navigator.credentials.get()`. */
  readonly challengeAction: Href;
}

/** Renders the form with its button; the script fills it in. A user who cancels can press again, and sees no error. */
export const keyForm = (
  context: PageContext,
  { action, challengeAction }: KeyCeremony,
  { label = context.say("key.submit"), isSecondary = false, isAutofilled = false } = {},
): Html =>
  html`${notice("info", context.say("key.cancelled"), { "data-passkey-problem": true, hidden: true })}
${form(context, {
  action,
  hidden: { credential: "" },
  body: html`<div hidden${attributes({ "data-passkey-request": challengeAction, "data-autofill": isAutofilled ? "" : undefined })}></div>`,
  submit: { label: withIcon("passkey", label), kind: isSecondary ? "secondary" : "primary" },
})}`;
