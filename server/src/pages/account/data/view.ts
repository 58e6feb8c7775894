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
import { section } from "../parts/entry.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** The stored data of a user: to download, and to delete. */
export interface DataModel extends AccountFrame {
  readonly exportAction: Href;
  /** Absent where users may not delete their accounts themselves. */
  readonly deleteHref?: Href | undefined;
  /** Why there is no file now. */
  readonly errors?: readonly FormError<never>[];
}

export function dataPage(context: PageContext, model: DataModel): Html {
  const { exportAction, deleteHref } = model;
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title: context.say("account.data.title"),
    // A download does not leave the page, so its button must stay usable.
    scripts: [],
    hasErrors: errors.any,
    body: html`${errors.summary}
${section(
  "export",
  context.say("account.data.export"),
  html`<p>${context.say("account.data.export_text")}</p>`,
  form(context, { action: exportAction, submit: { label: context.say("account.data.export_submit") } }),
)}
${section(
  "delete",
  context.say("account.delete.title"),
  html`<p>${context.say(deleteHref === undefined ? "account.delete.not_here" : "account.delete.offer")}</p>`,
  deleteHref !== undefined && buttonLink(deleteHref, context.say("account.delete.title"), "secondary"),
)}`,
  });
}

/** Asks for the username before the account is deleted. Posts `login_name_again`. */
export interface DeleteAccountModel extends AccountFrame {
  readonly action: Href;
  readonly backHref: Href;
  readonly loginName: string;
  /** The entered text. */
  readonly typed: string;
  readonly errors?: readonly FormError<"login_name_again">[];
}

export function deleteAccountPage(context: PageContext, model: DeleteAccountModel): Html {
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title: context.say("account.delete.title"),
    intro: context.say("account.delete.text"),
    hasErrors: errors.any,
    body: html`${errors.summary}
<div class="panel stack">${form(context, {
      action: model.action,
      body: html`<p>${context.sayHtml("account.delete.type", { name: strong(model.loginName) })}</p>
${field(context, {
  type: "text",
  autocomplete: "off",
  name: "login_name_again",
  label: context.say("account.delete.login_name"),
  value: model.typed,
  error: errors.of("login_name_again"),
  autofocus: errors.focuses("login_name_again", true),
})}`,
      submit: { kind: "danger", label: context.say("account.delete.submit") },
    })}
${buttonLink(model.backHref, context.say("account.cancel"), "secondary")}</div>`,
  });
}
