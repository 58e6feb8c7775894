import {
  arrangeErrors,
  type FormError,
  field,
  form,
  given,
  type Href,
  type Html,
  html,
  link,
  notice,
  type PageContext,
  page,
  strong,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";

/** Asks for the username and password of a directory. Posts `username` and `password`. */
export interface DirectoryModel {
  readonly action: Href;
  readonly client?: ClientView | undefined;
  /** Undefined when the name is not said (`shownProviderName`). */
  readonly providerName: string | undefined;
  /**
   * The organization whose directory it is; undefined for one of the instance. What is entered goes to servers that the
   * organization chose, so the page says so, and browsers do not fill in what they know for this site.
   */
  readonly organizationName?: string | undefined;
  /** As it was entered. */
  readonly username: string;
  /** To the beginning; undefined when an application began the attempt. */
  readonly otherHref?: Href | undefined;
  readonly errors?: readonly FormError<"username" | "password">[];
}

export function directoryPage(context: PageContext, model: DirectoryModel): Html {
  const title = context.say("login_name.title");
  const errors = arrangeErrors(context, model.errors);
  const provider = given(model.providerName ?? context.say("external.unnamed_provider"));
  const isNamed = model.username !== "";
  const owner = model.organizationName;
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
<p>${context.sayHtml("directory.text", { provider })}</p>
${owner !== undefined && notice("warning", context.sayHtml("directory.owner", { organization: strong(owner) }))}
${errors.summary}
${form(context, {
  action: model.action,
  body: html`${field(context, {
    type: "text",
    autocomplete: owner === undefined ? "username" : "off",
    name: "username",
    label: context.say("setup.username"),
    value: model.username,
    error: errors.of("username"),
    autofocus: errors.focuses("username", !isNamed),
  })}
${field(context, {
  type: "password",
  autocomplete: owner === undefined ? "current-password" : "new-password",
  name: "password",
  label: context.say("password.label"),
  error: errors.of("password"),
  autofocus: errors.focuses("password", isNamed),
  enterKeyHint: "go",
})}`,
  submit: { label: context.say("password.submit") },
})}
${model.otherHref !== undefined && html`<p class="links">${link(model.otherHref, context.say("external.other"))}</p>`}`,
  });
}
