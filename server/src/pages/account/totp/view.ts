import {
  arrangeErrors,
  buttonLink,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
} from "../../../html/index.ts";
import { type TotpSecret, totpEnrolment } from "../../parts/totp-enrolment.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** Adds an authenticator app, which is enabled once a code of it was entered. */
export type AccountTotpModel = AccountFrame & { readonly action: Href; readonly backHref: Href } & (
    | { readonly step: "start"; readonly errors?: readonly FormError<never>[] }
    | {
        readonly step: "confirm";
        readonly secret: TotpSecret;
        /** The secret, sealed for this browser, so that the page can be rendered again. */
        readonly ticket: string;
        readonly errors?: readonly FormError<"code">[];
      }
  );

export function accountTotpPage(context: PageContext, model: AccountTotpModel): Html {
  const { action, backHref } = model;
  const title = context.say("account.totp.title");
  const back = buttonLink(backHref, context.say("account.cancel"), "secondary");
  if (model.step === "start") {
    const errors = arrangeErrors(context, model.errors);
    return accountPage(context, model, {
      title,
      intro: context.say("account.totp.text"),
      hasErrors: errors.any,
      body: html`${errors.summary}
<div class="panel stack">${form(context, { action, submit: { label: context.say("passkey.submit") } })}
${back}</div>`,
    });
  }
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title,
    hasErrors: errors.any,
    body: html`${errors.summary}
<div class="panel stack">${totpEnrolment(context, model.secret)}
${form(context, {
  action,
  hidden: { ticket: model.ticket },
  body: field(context, {
    type: "text",
    autocomplete: "one-time-code",
    name: "code",
    label: context.say("totp.code"),
    value: "",
    hint: context.say("totp.code_hint"),
    error: errors.of("code"),
    autofocus: errors.focuses("code", true),
    enterKeyHint: "go",
  }),
  submit: { label: context.say("verify_email.submit") },
})}
${back}</div>`,
  });
}
