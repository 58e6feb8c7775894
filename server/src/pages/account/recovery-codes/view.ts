import {
  arrangeErrors,
  buttonLink,
  checkbox,
  type FormError,
  form,
  type Href,
  type Html,
  html,
  notice,
  type PageContext,
} from "../../../html/index.ts";
import { recoveryCodeList } from "../../parts/recovery-code-list.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** Generates recovery codes, and shows them until the user confirms having saved them. */
export type AccountRecoveryCodesModel = AccountFrame & { readonly action: Href; readonly backHref: Href } & (
    | { readonly step: "start"; readonly left: number; readonly errors?: readonly FormError<never>[] }
    | {
        readonly step: "keep";
        readonly codes: readonly string[];
        /** The codes, sealed for this browser, so that they can be shown again to a user who did not confirm. */
        readonly ticket: string;
        readonly errors?: readonly FormError<"kept">[];
      }
  );

export function accountRecoveryCodesPage(context: PageContext, model: AccountRecoveryCodesModel): Html {
  const { action, backHref } = model;
  const title = context.say("account.factor.recovery_codes");
  if (model.step === "start") {
    const errors = arrangeErrors(context, model.errors);
    return accountPage(context, model, {
      title,
      intro: context.say("account.recovery.text"),
      hasErrors: errors.any,
      body: html`${errors.summary}
${model.left > 0 && notice("warning", context.say("account.recovery.replaces", { count: model.left }))}
<div class="panel stack">${form(context, {
        action,
        submit: { label: context.say(model.left === 0 ? "account.recovery.make" : "account.recovery.renew") },
      })}
${buttonLink(backHref, context.say("account.cancel"), "secondary")}</div>`,
    });
  }
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title,
    hasErrors: errors.any,
    body: html`${errors.summary}
<div class="panel stack">${recoveryCodeList(context, model.codes)}
${form(context, {
  action,
  hidden: { ticket: model.ticket },
  body: html`<div id="kept">${checkbox({ name: "kept", value: "1", checked: false, label: context.say("recovery.kept") })}</div>`,
  submit: { label: context.say("account.done") },
})}</div>`,
  });
}
