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
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** Changes the username. Posts `username`. */
export interface UsernameModel extends AccountFrame {
  readonly action: Href;
  readonly backHref: Href;
  readonly username: string;
  readonly errors?: readonly FormError<"username">[];
}

export function usernamePage(context: PageContext, model: UsernameModel): Html {
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title: context.say("account.username.title"),
    hasErrors: errors.any,
    body: html`${errors.summary}
<div class="panel stack">${form(context, {
      action: model.action,
      body: field(context, {
        type: "text",
        autocomplete: "username",
        name: "username",
        label: context.say("setup.username"),
        value: model.username,
        error: errors.of("username"),
        autofocus: errors.focuses("username", true),
        hint: context.say("account.username.hint"),
        maximumLength: 200,
      }),
      submit: { label: context.say("account.save") },
    })}
${buttonLink(model.backHref, context.say("account.cancel"), "secondary")}</div>`,
  });
}
