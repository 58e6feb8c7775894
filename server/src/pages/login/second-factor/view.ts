import type { SecondFactorKind } from "../../../domain/sign-in/index.ts";
import {
  arrangeErrors,
  buttonLink,
  type FormError,
  type FormErrors,
  field,
  form,
  type Href,
  type Html,
  html,
  link,
  type PageContext,
  type PageKey,
  page,
  strong,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { resendForm } from "../../parts/resend-form.ts";
import { enteredName } from "../parts/account.ts";
import { type KeyCeremony, keyForm } from "../parts/key-form.ts";
import { passkeyNeeds } from "../parts/passkey-needs.ts";

/** Asks for the user's second factor. Posts `code`, or `credential`. */
export type SecondFactorModel = {
  readonly client?: ClientView | undefined;
  /** As pages show it (`shownNameOf`). */
  readonly loginName: string;
  /** Back to the first page. */
  readonly changeHref: Href;
  /** To the alternatives, and to what helps a user without any. */
  readonly methodsHref: Href;
  /** Whether there is no alternative. */
  readonly isOnly?: boolean;
} & (
  | {
      readonly kind: Exclude<SecondFactorKind, "key">;
      readonly action: Href;
      /**
       * For codes that are sent: where to request another one, in how many milliseconds, and where they are sent, as a
       * hint.
       */
      readonly sent?: { readonly action: Href; readonly wait: number; readonly recipient: string } | undefined;
      readonly errors?: readonly FormError<"code">[];
    }
  | { readonly kind: "key"; readonly ceremony: KeyCeremony; readonly errors?: readonly FormError<never>[] }
  /** The user's factors are no longer allowed, or work only elsewhere. */
  | { readonly kind: "none" }
);

export function secondFactorPage(context: PageContext, model: SecondFactorModel): Html {
  const title = context.say(`second_factor.${model.kind}`);
  const errors: FormErrors<"code"> = arrangeErrors(context, "errors" in model ? model.errors : []);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${enteredName(context, model.loginName, model.changeHref)}
${errors.summary}
<p>${context.say(`second_factor.${model.kind}_text`)}${recipientOf(model)}</p>
${body(context, model, errors)}
${model.kind !== "none" && html`<p class="links">${link(model.methodsHref, context.say(methodsLabel(model)))}</p>`}`,
  });
}

/** What the link to the alternatives says: the situation of the user, whether there are any or not. */
function methodsLabel({ kind, isOnly = false }: SecondFactorModel): PageKey {
  if (kind === "totp") return "second_factor.no_app";
  return isOnly ? "second_factor.stuck" : "second_factor.other";
}

const recipientOf = (model: SecondFactorModel): Html | undefined =>
  "sent" in model && model.sent !== undefined ? html` ${strong(model.sent.recipient)}` : undefined;

function body(context: PageContext, model: SecondFactorModel, errors: FormErrors<"code">): Html {
  if (model.kind === "none") return buttonLink(model.changeHref, context.say("second_factor.restart"), "secondary");
  if (model.kind === "key") {
    return html`${passkeyNeeds(context.say("key.script_needed"))}
${keyForm(context, model.ceremony)}`;
  }
  const isRecovery = model.kind === "recovery_codes";
  return html`${form(context, {
    action: model.action,
    hidden: { by: model.kind },
    body: field(context, {
      type: "text",
      autocomplete: isRecovery ? "off" : "one-time-code",
      name: "code",
      enterKeyHint: "go",
      label: context.say(isRecovery ? "second_factor.recovery_code" : "second_factor.code"),
      isNumeric: !isRecovery,
      error: errors.of("code"),
      autofocus: errors.focuses("code", true),
    }),
    submit: { label: context.say("second_factor.submit") },
  })}
${
  model.sent !== undefined &&
  resendForm(context, {
    action: model.sent.action,
    wait: model.sent.wait,
    hidden: { by: model.kind },
    label: context.say("second_factor.send_again"),
  })
}`;
}
