import {
  arrangeErrors,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
  page,
} from "../../../html/index.ts";
import { heading } from "../../parts/client.ts";

/**
 * Asks for the code that a device shows. Posts `user_code`. A code from the link is filled in, and still has to be
 * submitted.
 */
export interface DeviceCodeModel {
  readonly action: Href;
  /** The entered code, or that of the link; empty otherwise. */
  readonly userCode: string;
  readonly errors?: readonly FormError<"user_code">[];
}

export function deviceCodePage(context: PageContext, model: DeviceCodeModel): Html {
  const title = context.say("device.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, html`<p>${context.say("device.text")}</p>`)}
${errors.summary}
${form(context, {
  action: model.action,
  body: field(context, {
    type: "text",
    autocomplete: "off",
    name: "user_code",
    label: context.say("device.code"),
    value: model.userCode,
    error: errors.of("user_code"),
    autofocus: errors.focuses("user_code", true),
    hint: context.say("device.code_hint"),
    enterKeyHint: "next",
  }),
  submit: { label: context.say("device.submit") },
})}`,
  });
}
