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
  strong,
} from "../../../html/index.ts";
import { codePanel } from "../parts/code-panel.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

export type ContactKind = "email" | "phone";

/** A new email address or phone number: first the address, then the code that was sent there. */
export type ContactModel = AccountFrame & { readonly kind: ContactKind; readonly backHref: Href } & (
    | {
        readonly step: "value";
        readonly action: Href;
        /** The entered value, or the current one. */
        readonly value: string;
        /** Removes the number; absent without one. */
        readonly removeAction?: Href | undefined;
        readonly errors?: readonly FormError<ContactKind>[];
      }
    | {
        readonly step: "code";
        readonly action: Href;
        readonly resendAction: Href;
        /** Milliseconds until another code can be sent. */
        readonly wait: number;
        /** Where the code was sent. */
        readonly recipient: string;
        readonly errors?: readonly FormError<"code">[];
      }
  );

export function contactPage(context: PageContext, model: ContactModel): Html {
  return model.step === "value" ? valuePage(context, model) : codePage(context, model);
}

function valuePage(context: PageContext, model: Extract<ContactModel, { step: "value" }>): Html {
  const { kind, action, value, removeAction, backHref } = model;
  const errors = arrangeErrors(context, model.errors);
  const common = {
    name: kind,
    label: context.say(`account.profile.${kind}`),
    value,
    error: errors.of(kind),
    autofocus: errors.focuses(kind, true),
    hint: context.say(`account.contact.${kind}_hint`),
    enterKeyHint: "go",
  } as const;
  return accountPage(context, model, {
    title: context.say(`account.contact.${kind}`),
    hasErrors: errors.any,
    body: html`${errors.summary}
<div class="panel stack">${form(context, {
      action,
      body: field(
        context,
        kind === "email"
          ? { type: "email", autocomplete: "email", ...common }
          : { type: "tel", autocomplete: "tel", ...common },
      ),
      submit: { label: context.say("account.contact.submit") },
    })}
${
  removeAction !== undefined &&
  form(context, { action: removeAction, submit: { kind: "quiet", label: context.say("account.contact.remove_phone") } })
}
${buttonLink(backHref, context.say("account.cancel"), "secondary")}</div>`,
  });
}

function codePage(context: PageContext, model: Extract<ContactModel, { step: "code" }>): Html {
  const { kind, action, resendAction, wait, recipient, backHref } = model;
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title: context.say(`account.contact.verify_${kind}`),
    intro: context.sayHtml("account.contact.sent", { recipient: strong(recipient) }),
    hasErrors: errors.any,
    body: codePanel(context, {
      action,
      resend: { action: resendAction, wait },
      errors,
      leave: { href: backHref, label: context.say("account.later") },
    }),
  });
}
