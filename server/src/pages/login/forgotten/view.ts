import {
  arrangeErrors,
  buttonLink,
  type FormError,
  field,
  form,
  type Href,
  type Html,
  html,
  link,
  type PageContext,
  page,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading, statusHeading } from "../../parts/client.ts";
import { enteredName } from "../parts/account.ts";

/** Sends a code for a new password, and says that it may be on its way: the same for unknown usernames. */
export type ForgottenModel =
  | {
      /** No user was named yet: posts `login_name`. */
      readonly step: "name";
      readonly client?: ClientView | undefined;
      readonly loginName: string;
      readonly errors?: readonly FormError<"login_name">[];
      readonly action: Href;
      readonly backHref: Href;
    }
  | {
      readonly step: "ask";
      readonly client?: ClientView | undefined;
      readonly loginName: string;
      readonly changeHref: Href;
      readonly action: Href;
    }
  | { readonly step: "sent"; readonly loginName: string; readonly changeHref: Href; readonly backHref: Href };

export function forgottenPage(context: PageContext, model: ForgottenModel): Html {
  if (model.step === "name") return namePage(context, model);
  const title = context.say(`forgotten.${model.step}_title`);
  const name = enteredName(context, model.loginName, model.changeHref);
  if (model.step === "sent") {
    return page(context, {
      title,
      body: html`${statusHeading("mail", title)}
${name}
<p>${context.say("forgotten.sent_text")}</p>
${buttonLink(model.backHref, context.say("forgotten.back"), "secondary")}`,
    });
  }
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${name}
<p>${context.say("forgotten.ask_text")}</p>
${form(context, { action: model.action, submit: { label: context.say("forgotten.submit") } })}`,
  });
}

function namePage(context: PageContext, model: Extract<ForgottenModel, { step: "name" }>): Html {
  const title = context.say("forgotten.ask_title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${errors.summary}
<p>${context.say("forgotten.ask_text")}</p>
${form(context, {
  action: model.action,
  body: field(context, {
    type: "text",
    autocomplete: "username",
    name: "login_name",
    label: context.say("login_name.label"),
    value: model.loginName,
    error: errors.of("login_name"),
    autofocus: errors.focuses("login_name", true),
    enterKeyHint: "go",
  }),
  submit: { label: context.say("forgotten.submit") },
})}
<p class="links">${link(model.backHref, context.say("forgotten.back"))}</p>`,
  });
}
