import {
  arrangeErrors,
  attributes,
  buttonLink,
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
  withIcon,
} from "../../../html/index.ts";
import { heading, statusHeading } from "../../parts/client.ts";
import { passkeyNeeds } from "../parts/passkey-needs.ts";

/** Registers a passkey with the code of a link: first the code is consumed, then the browser creates the passkey. */
export type PasskeyModel =
  | {
      readonly step: "code";
      readonly action: Href;
      readonly code: string;
      readonly errors?: readonly FormError<"code">[];
    }
  | {
      readonly step: "create";
      readonly action: Href;
      /** Argument of `navigator.credentials.create()`, JSON. */
      readonly options: string;
      /** Proves that this browser has entered the code. */
      readonly ticket: string;
    }
  | { readonly step: "done"; readonly signInHref: Href };

export function passkeyPage(context: PageContext, model: PasskeyModel): Html {
  switch (model.step) {
    case "code":
      return codePage(context, model);
    case "create":
      return createPage(context, model);
    case "done": {
      const title = context.say("passkey.done");
      return page(context, {
        title,
        body: html`${statusHeading("success", title, html`<p>${context.say("passkey.done_text")}</p>`)}
${buttonLink(model.signInHref, context.say("error.start"), "secondary")}`,
      });
    }
    default:
      return model satisfies never;
  }
}

function codePage(context: PageContext, model: Extract<PasskeyModel, { step: "code" }>): Html {
  const title = context.say("passkey.title");
  const errors: FormErrors<"code"> = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.say("passkey.text")}</p>`)}
${errors.summary}
${passkeyNeeds(context.say("passkey.unsupported"))}
${form(context, {
  action: model.action,
  // Set by the script when the browser supports passkeys, so that other browsers do not consume the code.
  hidden: { passkeys: "" },
  body: field(context, {
    type: "text",
    autocomplete: "one-time-code",
    name: "code",
    label: context.say("verify_email.code"),
    value: model.code,
    error: errors.of("code"),
    autofocus: errors.focuses("code", true),
    enterKeyHint: "go",
  }),
  submit: { label: context.say("passkey.submit") },
})}`,
  });
}

function createPage(context: PageContext, model: Extract<PasskeyModel, { step: "create" }>): Html {
  const title = context.say("passkey.create_title");
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.say("passkey.create_text")}</p>`)}
${notice("info", context.say("passkey.cancelled"), { "data-passkey-problem": true, hidden: true })}
${form(context, {
  action: model.action,
  hidden: { ticket: model.ticket, credential: "" },
  body: html`<div${attributes({ "data-passkey-options": model.options })}>${field(context, {
    type: "text",
    autocomplete: "off",
    name: "passkey_name",
    label: context.say("passkey.name"),
    hint: context.say("passkey.name_hint"),
    value: context.say("passkey.default_name"),
    maximumLength: 100,
    enterKeyHint: "go",
  })}</div>`,
  submit: { label: withIcon("passkey", context.say("passkey.create")) },
})}`,
  });
}
