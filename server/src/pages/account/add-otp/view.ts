import type { SentFactor } from "../../../domain/factor/index.ts";
import {
  arrangeErrors,
  buttonLink,
  type FormError,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
  strong,
} from "../../../html/index.ts";
import { codePanel } from "../parts/code-panel.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** Enables codes by email or SMS, once the first of them was entered. */
export type AccountOtpModel = AccountFrame & {
  readonly kind: SentFactor;
  readonly action: Href;
  readonly backHref: Href;
} & (
    | {
        readonly step: "start";
        /** Where the code will be sent; absent without a verified address. */
        readonly recipient?: string | undefined;
        readonly errors?: readonly FormError<never>[];
      }
    | {
        readonly step: "code";
        /** Where the code was sent. */
        readonly recipient: string;
        /** Where to request another code, and in how many milliseconds. */
        readonly resend: { readonly action: Href; readonly wait: number };
        readonly errors?: readonly FormError<"code">[];
      }
  );

export function accountOtpPage(context: PageContext, model: AccountOtpModel): Html {
  const { kind, action, backHref, recipient } = model;
  const title = context.say("account.turn_on_one", { name: context.say(`account.factor.${kind}`) });
  const cancel = context.say("account.cancel");
  if (model.step === "start") {
    const errors = arrangeErrors(context, model.errors);
    const first =
      recipient !== undefined && context.sayHtml("account.factor.otp_first", { recipient: strong(recipient) });
    return accountPage(context, model, {
      title,
      intro: context.say(`account.factor.${kind}_text`),
      hasErrors: errors.any,
      body: html`${errors.summary}
<div class="panel stack">${first !== false && html`<p>${first}</p>`}
${form(context, { action, submit: { label: context.say("account.factor.otp_send") } })}
${buttonLink(backHref, cancel, "secondary")}</div>`,
    });
  }
  const errors = arrangeErrors(context, model.errors);
  const intro = context.sayHtml("add_factor.sent", { recipient: strong(model.recipient) });
  return accountPage(context, model, {
    title,
    intro,
    hasErrors: errors.any,
    body: codePanel(context, { action, resend: model.resend, errors, leave: { href: backHref, label: cancel } }),
  });
}
