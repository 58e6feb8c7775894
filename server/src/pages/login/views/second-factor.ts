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
  page,
} from "../../html/index.ts";
import { enteredName } from "../parts/account.ts";
import { type ClientView, clientLine, heading } from "../parts/client.ts";
import { type KeyCeremony, keyForm } from "../parts/key-form.ts";

/** Second step: what the person has besides the first factor. Posts `code`, or `credential`. */
export type SecondFactorModel = {
  readonly client?: ClientView | undefined;
  readonly loginName: string;
  /** Back to the first step. */
  readonly changeHref: Href;
  /** Where there is another way; absent when there is none. */
  readonly methodsHref?: Href | undefined;
} & (
  | {
      readonly kind: Exclude<SecondFactorKind, "key">;
      readonly action: Href;
      /** Sends a new code; for codes that are sent. */
      readonly sendAction?: Href | undefined;
      readonly errors?: readonly FormError<"code">[];
    }
  | { readonly kind: "key"; readonly ceremony: KeyCeremony; readonly errors?: readonly FormError<never>[] }
  /** What the person has is not allowed any more, or works somewhere else. */
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
<p>${context.say(`second_factor.${model.kind}_text`)}</p>
${body(context, model, errors)}
${model.methodsHref !== undefined && html`<p class="links">${link(model.methodsHref, context.say("second_factor.other"))}</p>`}`,
  });
}

function body(context: PageContext, model: SecondFactorModel, errors: FormErrors<"code">): Html {
  if (model.kind === "none") return buttonLink(model.changeHref, context.say("second_factor.restart"), "secondary");
  if (model.kind === "key") return keyForm(context, model.ceremony);
  const isRecovery = model.kind === "recovery_codes";
  return html`${form(context, {
    action: model.action,
    hidden: { by: model.kind },
    body: field(context, {
      ...{ type: "text", autocomplete: isRecovery ? "off" : "one-time-code", name: "code", enterKeyHint: "go" },
      ...{ label: context.say(isRecovery ? "second_factor.recovery_code" : "second_factor.code") },
      ...{ isNumeric: !isRecovery, error: errors.of("code"), autofocus: errors.focuses("code", true) },
    }),
    submit: { label: context.say("second_factor.submit") },
  })}
${
  model.sendAction !== undefined &&
  form(context, {
    action: model.sendAction,
    hidden: { by: model.kind },
    submit: { kind: "quiet", label: context.say("second_factor.send_again") },
  })
}`;
}
