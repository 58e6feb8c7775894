import { type FormErrors, field, form, type Href, type Html, type PageContext } from "../../html/index.ts";

interface CodeForm {
  readonly action: Href;
  /** The code in a link; empty otherwise. */
  readonly code: string;
  readonly errors: FormErrors<"code">;
}

/** Renders the form that takes a code of a message, and nothing else. */
export const codeForm = (context: PageContext, { action, code, errors }: CodeForm): Html =>
  form(context, {
    action,
    body: field(context, {
      type: "text",
      autocomplete: "one-time-code",
      name: "code",
      label: context.say("verify_email.code"),
      value: code,
      error: errors.of("code"),
      autofocus: errors.focuses("code", true),
      enterKeyHint: "go",
    }),
    submit: { label: context.say("verify_email.submit") },
  });
