import {
  buttonLink,
  type FormErrors,
  field,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
} from "../../../html/index.ts";
import { resendForm } from "../../parts/resend-form.ts";

/** Asks for a code that was sent, and offers another one. */
export interface CodePanel {
  readonly action: Href;
  /** Where to request another code, and in how many milliseconds. */
  readonly resend: { readonly action: Href; readonly wait: number };
  readonly errors: FormErrors<"code">;
  /** The link that leaves without a code. */
  readonly leave: { readonly href: Href; readonly label: string };
}

export const codePanel = (context: PageContext, { action, resend, errors, leave }: CodePanel): Html =>
  html`${errors.summary}
<div class="panel stack">${form(context, {
    action,
    body: field(context, {
      type: "text",
      autocomplete: "one-time-code",
      name: "code",
      label: context.say("verify_email.code"),
      value: "",
      error: errors.of("code"),
      autofocus: errors.focuses("code", true),
      enterKeyHint: "go",
    }),
    submit: { label: context.say("verify_email.submit") },
  })}
${resendForm(context, { ...resend, label: context.say("account.contact.resend") })}
${buttonLink(leave.href, leave.label, "secondary")}</div>`;
