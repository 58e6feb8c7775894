import {
  arrangeErrors,
  attributes,
  buttonLink,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  notice,
  type PageContext,
} from "../../../html/index.ts";
import { passkeyNeeds } from "../../login/parts/passkey-needs.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/**
 * Adds a passkey or security key: first the server creates a challenge, then the browser asks for the key, as soon as
 * the page is there.
 */
export type AccountKeyModel = AccountFrame & {
  readonly kind: "passkey" | "u2f";
  readonly action: Href;
  readonly backHref: Href;
} & (
    | { readonly step: "start"; readonly errors?: readonly FormError<never>[] }
    | {
        readonly step: "create";
        /** Argument of `navigator.credentials.create()`, JSON. */
        readonly options: string;
        /** Proves that this browser started it. */
        readonly ticket: string;
        /** Name of the key, as entered; empty for the usual one. */
        readonly name: string;
      }
  );

export function accountKeyPage(context: PageContext, model: AccountKeyModel): Html {
  const { kind, action, backHref } = model;
  const title = context.say(kind === "passkey" ? "passkey.title" : "account.security_key.title");
  const back = buttonLink(backHref, context.say("account.cancel"), "secondary");
  if (model.step === "start") {
    const errors = arrangeErrors(context, model.errors);
    return accountPage(context, model, {
      title,
      intro: context.say(kind === "passkey" ? "passkey.text" : "account.security_key.text"),
      hasErrors: errors.any,
      scripts: ["form.js"],
      body: html`${errors.summary}
${passkeyNeeds(context.say("account.key.unsupported"))}
<div class="panel stack">${form(context, {
        action,
        // Shown by the script when the browser supports passkeys.
        hidden: { passkeys: "" },
        body: nameField(context, kind, ""),
        submit: { label: context.say(kind === "passkey" ? "passkey.create" : "account.security_key.create") },
      })}
${back}</div>`,
    });
  }
  return accountPage(context, model, {
    title: context.say(kind === "passkey" ? "passkey.create_title" : "account.security_key.create_title"),
    intro: context.say(kind === "passkey" ? "passkey.create_text" : "account.security_key.create_text"),
    scripts: ["form.js"],
    body: html`${notice("info", context.say("account.key.cancelled"), { "data-passkey-problem": true, hidden: true })}
<div class="panel stack">${form(context, {
      action,
      hidden: { ticket: model.ticket, credential: "" },
      body: html`<div${attributes({ "data-passkey-options": model.options, "data-now": true })}>${nameField(context, kind, model.name)}</div>`,
      submit: { label: context.say(kind === "passkey" ? "passkey.create" : "account.security_key.create") },
    })}
${back}</div>`,
  });
}

const nameField = (context: PageContext, kind: AccountKeyModel["kind"], name: string): Html =>
  field(context, {
    type: "text",
    autocomplete: "off",
    name: "key_name",
    label: context.say("account.key.name"),
    hint: context.say("passkey.name_hint"),
    maximumLength: 100,
    enterKeyHint: "go",
    value: name === "" ? context.say(kind === "passkey" ? "passkey.default_name" : "account.security_key") : name,
  });
