import {
  arrangeErrors,
  buttonLink,
  type FormError,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
} from "../../../html/index.ts";
import { type AccountFrame, accountPage } from "./frame-view.ts";

/** Asks for confirmation of something that is not easily undone. The texts are those of the question. */
export interface ConfirmModel extends AccountFrame {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly action: Href;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly backHref: Href;
  readonly errors?: readonly FormError<never>[];
}

export function confirmPage(context: PageContext, model: ConfirmModel): Html {
  const { title, text, submit, action, hidden = {}, backHref } = model;
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title,
    intro: text,
    hasErrors: errors.any,
    body: html`${errors.summary}
<div class="panel stack">${form(context, { action, hidden, submit: { label: submit } })}
${buttonLink(backHref, context.say("account.cancel"), "secondary")}</div>`,
  });
}
