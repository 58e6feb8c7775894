import {
  arrangeErrors,
  buttonLink,
  checkbox,
  type FormError,
  form,
  type Href,
  type Html,
  html,
  type PageContext,
  page,
  strong,
} from "../../../html/index.ts";
import { type ClientView, heading } from "../../parts/client.ts";
import { type AccountView, accountBox, accountLines } from "../parts/account.ts";

/** A session that can be ended here. */
interface EndableSession extends AccountView {
  readonly sessionId: string;
  /** Initially selected: all, or the one in the application's hint. */
  readonly isSelected: boolean;
}

/** Asks for confirmation before signing out. Posts `session_id`, once for each chosen session. */
export interface LogoutModel {
  readonly action: Href;
  /** The requesting application, if any. */
  readonly client?: ClientView | undefined;
  /** At least one. */
  readonly sessions: readonly EndableSession[];
  readonly cancelHref: Href;
  /** Errors of the whole form, such as an empty selection. */
  readonly errors?: readonly FormError<never>[];
}

export function logoutPage(context: PageContext, model: LogoutModel): Html {
  const title = context.say("logout.title");
  const { client, sessions } = model;
  const errors = arrangeErrors(context, model.errors);
  const [only] = sessions.length === 1 ? sessions : [];
  const asks = client && html`<p>${context.sayHtml("logout.client", { client: strong(client.name) })}</p>`;
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, asks)}
${errors.summary}
${form(context, {
  action: model.action,
  ...(only && { hidden: { session_id: only.sessionId } }),
  body: only ? html`<p>${context.say("logout.text")}</p>${accountBox(only)}` : choices(context, sessions),
  submit: { label: context.say("logout.submit") },
})}
${buttonLink(model.cancelHref, context.say("logout.cancel"), "secondary")}`,
  });
}

const choices = (context: PageContext, sessions: readonly EndableSession[]): Html =>
  html`<fieldset><legend>${context.say("logout.choose")}</legend>${sessions.map((session) =>
    checkbox({
      name: "session_id",
      value: session.sessionId,
      checked: session.isSelected,
      label: accountLines(session),
    }),
  )}</fieldset>`;
