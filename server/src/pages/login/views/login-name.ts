import {
  arrangeErrors,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  link,
  type PageContext,
  page,
} from "../../html/index.ts";
import { type ClientView, clientLine, heading } from "../parts/client.ts";

/** First step: who are you? Posts `login_name`. */
export interface LoginNameModel {
  readonly action: Href;
  readonly client?: ClientView | undefined;
  /** What was entered before, or what the application hinted at; empty otherwise. */
  readonly loginName: string;
  readonly errors?: readonly FormError<"login_name">[];
  /** Where an account can be created, when the policy allows it. */
  readonly registerHref?: Href | undefined;
}

export function loginNamePage(context: PageContext, model: LoginNameModel): Html {
  const title = context.say("login_name.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${errors.summary}
${form(context, {
  action: model.action,
  body: field(context, {
    ...{ type: "text", autocomplete: "username webauthn", name: "login_name", label: context.say("login_name.label") },
    ...{ value: model.loginName, error: errors.of("login_name"), autofocus: errors.focuses("login_name", true) },
    enterKeyHint: "next",
  }),
  submit: { label: context.say("login_name.submit") },
})}
${model.registerHref !== undefined && html`<p class="links">${link(model.registerHref, context.say("login_name.register"))}</p>`}`,
  });
}
