import type { PageContext } from "./context.ts";
import type { Href } from "./href.ts";
import { attributes, type Html, type HtmlValue, html } from "./html.ts";

/** How a button looks: the one thing to do, another possibility, or a row of a list. */
export type ButtonKind = "primary" | "secondary" | "row" | "quiet";

export interface Form {
  readonly action: Href;
  /** Values that travel along unseen. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Whether a file is sent with it. */
  readonly hasFile?: boolean;
  readonly body?: HtmlValue;
  /** The button that sends the form. */
  readonly submit: Submit;
  /** Further ones, for other ways to go on with the same input. Each says so by `name` and `value`. */
  readonly others?: readonly { readonly name: string; readonly value: string; readonly label: HtmlValue }[];
}

export interface Submit {
  readonly label: HtmlValue;
  readonly kind?: ButtonKind;
  /** Full name of the button where its words alone do not tell what it acts on. */
  readonly ariaLabel?: string;
}

/**
 * A form that posts, with the proof that this browser was given it and one button, or one for each way. Fields are checked by the server alone
 * (`novalidate`), so that everybody reads the same sentences, with or without script.
 */
export function form(
  context: PageContext,
  { action, hidden = {}, hasFile = false, body, submit, others = [] }: Form,
): Html {
  return html`<form method="post" action="${action}"${attributes({ enctype: hasFile ? "multipart/form-data" : undefined })} novalidate>
${Object.entries({ csrf_token: context.csrfToken, ...hidden }).map(
  ([name, value]) => html`<input type="hidden"${attributes({ name, value })}>`,
)}
${body}
<button type="submit" class="button ${submit.kind ?? "primary"}"${attributes({ "aria-label": submit.ariaLabel })}>${submit.label}</button>${others.map(
    ({ name, value, label }) =>
      html`\n<button type="submit" class="button secondary"${attributes({ name, value })}>${label}</button>`,
  )}
</form>`;
}

/** A link that looks like a button. */
export const buttonLink = (to: Href, label: string, kind: ButtonKind = "primary"): Html =>
  html`<a class="button ${kind}" href="${to}">${label}</a>`;

/** A link; with its full name where its words alone do not tell what it acts on. */
export const link = (to: Href, label: HtmlValue, ariaLabel?: string): Html =>
  html`<a href="${to}"${attributes({ "aria-label": ariaLabel })}>${label}</a>`;

/** A link of a list of places, which says when it leads to where one is. */
export const placeLink = (to: Href, label: HtmlValue, isHere: boolean): Html =>
  html`<a href="${to}"${attributes({ "aria-current": isHere ? "page" : undefined })}>${label}</a>`;
