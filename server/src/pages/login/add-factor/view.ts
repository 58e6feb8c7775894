import type { SentFactor } from "../../../domain/factor/index.ts";
import type { AddableFactor } from "../../../domain/sign-in/index.ts";
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
  link,
  notice,
  type PageContext,
  page,
  strong,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { withFactorIcon } from "../../parts/factor-icon.ts";
import { recoveryCodeList } from "../../parts/recovery-code-list.ts";
import { resendForm } from "../../parts/resend-form.ts";
import { type TotpSecret, totpEnrolment } from "../../parts/totp-enrolment.ts";
import { enteredName } from "../parts/account.ts";
import { passkeyNeeds } from "../parts/passkey-needs.ts";

/** Adds a second factor during sign-in: first the choice, then the proof that it works. */
export type AddFactorModel = {
  readonly client?: ClientView | undefined;
  /** As pages show it (`shownNameOf`). */
  readonly loginName: string;
  readonly changeHref: Href;
} & (
  | {
      readonly step: "choose";
      readonly action: Href;
      readonly kinds: readonly AddableFactor[];
      /** Skips it for now; absent where a factor is required. */
      readonly skipAction?: Href | undefined;
      readonly errors?: readonly FormError<never>[];
    }
  /** There is already one, from another tab or an administrator. */
  | { readonly step: "present"; readonly action: Href }
  | {
      readonly step: "totp";
      readonly action: Href;
      readonly totp: TotpSecret;
      /** The secret, sealed for this browser. */
      readonly ticket: string;
      readonly backHref: Href;
      readonly errors?: readonly FormError<"code">[];
    }
  | {
      readonly step: "code";
      readonly kind: SentFactor;
      readonly action: Href;
      /** Where the code was sent, as a hint. */
      readonly recipient: string;
      /** Where to request another code, and in how many milliseconds. */
      readonly resend: { readonly action: Href; readonly wait: number };
      readonly backHref: Href;
      readonly errors?: readonly FormError<"code">[];
    }
  | {
      readonly step: "key";
      readonly action: Href;
      /** Argument of `navigator.credentials.create()`, JSON. */
      readonly options: string;
      readonly ticket: string;
      readonly backHref: Href;
    }
  /** The recovery codes that came with the factor, and where the user continues. */
  | { readonly step: "recovery"; readonly codes: readonly string[]; readonly nextHref: Href }
);

export function addFactorPage(context: PageContext, model: AddFactorModel): Html {
  const title = titleOf(context, model);
  const errors: FormErrors<"code"> = arrangeErrors(context, "errors" in model ? model.errors : []);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${enteredName(context, model.loginName, model.changeHref)}
${errors.summary}
${body(context, model, errors)}`,
  });
}

function titleOf(context: PageContext, model: AddFactorModel): string {
  if (model.step === "code") return context.say(`second_factor.${model.kind}`);
  if (model.step === "recovery") return context.say("account.factor.recovery_codes");
  return context.say(`add_factor.${model.step === "present" ? "choose" : model.step}_title`);
}

function body(context: PageContext, model: AddFactorModel, errors: FormErrors<"code">): Html {
  switch (model.step) {
    case "choose":
      return chooseBody(context, model);
    case "present":
      return html`<p>${context.say("add_factor.present")}</p>
${form(context, { action: model.action, submit: { label: context.say("passkey.submit") } })}`;
    case "totp":
      return html`${totpEnrolment(context, model.totp)}
${form(context, {
  action: model.action,
  hidden: { ticket: model.ticket },
  body: field(context, {
    type: "text",
    autocomplete: "one-time-code",
    name: "code",
    label: context.say("second_factor.code"),
    isNumeric: true,
    error: errors.of("code"),
    autofocus: errors.focuses("code", false),
    enterKeyHint: "go",
  }),
  submit: { label: context.say("add_factor.submit") },
})}
<p class="links">${link(model.backHref, context.say("add_factor.back"))}</p>`;
    case "code":
      return html`<p>${context.sayHtml("add_factor.sent", { recipient: strong(model.recipient) })}</p>
${form(context, {
  action: model.action,
  body: field(context, {
    type: "text",
    autocomplete: "one-time-code",
    name: "code",
    label: context.say("second_factor.code"),
    isNumeric: true,
    error: errors.of("code"),
    autofocus: errors.focuses("code", true),
    enterKeyHint: "go",
  }),
  submit: { label: context.say("add_factor.submit") },
})}
${resendForm(context, { ...model.resend, label: context.say("second_factor.send_again") })}
<p class="links">${link(model.backHref, context.say("add_factor.back"))}</p>`;
    case "key":
      return html`<p>${context.say("add_factor.key_text")}</p>
${passkeyNeeds(context.say("key.script_needed"))}
${notice("info", context.say("key.cancelled"), { "data-passkey-problem": true, hidden: true })}
${form(context, {
  action: model.action,
  hidden: { ticket: model.ticket, credential: "" },
  body: html`<div hidden${attributes({ "data-passkey-options": model.options })}></div>`,
  submit: { label: context.say("add_factor.key_submit") },
})}
<p class="links">${link(model.backHref, context.say("add_factor.back"))}</p>`;
    case "recovery":
      return html`<p>${context.say("account.recovery.text")}</p>
${recoveryCodeList(context, model.codes)}
${buttonLink(model.nextHref, context.say("recovery.kept"), "primary")}`;
    default:
      return model satisfies never;
  }
}

function chooseBody(context: PageContext, model: Extract<AddFactorModel, { step: "choose" }>): Html {
  const isOffer = model.skipAction !== undefined;
  if (model.kinds.length === 0) {
    return html`<p>${context.say("add_factor.none")}</p>
${buttonLink(model.changeHref, context.say("second_factor.restart"), "secondary")}`;
  }
  return html`<p>${context.say(isOffer ? "add_factor.offer" : "add_factor.demand")}</p>
<ul class="plain">${model.kinds.map(
    (kind) =>
      html`<li>${form(context, {
        action: model.action,
        hidden: { kind },
        submit: { kind: "secondary", label: withFactorIcon(kind, context.say(`add_factor.${kind}`)) },
      })}</li>`,
  )}</ul>
${
  model.skipAction !== undefined &&
  form(context, { action: model.skipAction, submit: { kind: "quiet", label: context.say("add_factor.skip") } })
}`;
}
