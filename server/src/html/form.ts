import type { PageContext } from "./context.ts";
import type { Href } from "./href.ts";
import { attributes, type Html, type HtmlValue, html } from "./html.ts";

/** Style of a button: the main action, an alternative, what cannot be undone, or a row of a list. */
export type ButtonKind = "primary" | "secondary" | "danger" | "row" | "quiet";

export interface Form {
  readonly action: Href;
  /** Values of hidden inputs. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Whether the form uploads a file. */
  readonly hasFile?: boolean;
  readonly body?: HtmlValue;
  /** The button that submits the form. */
  readonly submit: Submit;
  /** Further buttons, for alternative actions on the same input, each with its `name` and `value`. */
  readonly others?: readonly { readonly name: string; readonly value: string; readonly label: HtmlValue }[];
}

interface Submit {
  readonly label: HtmlValue;
  readonly kind?: ButtonKind;
  /** Full label of the button where its text alone does not say what it acts on. */
  readonly ariaLabel?: string;
}

/**
 * Renders a form that posts, with its CSRF token and its buttons. Only the server validates the fields (`novalidate`),
 * so that all users read the same sentences, with or without script.
 */
export function form(
  context: PageContext,
  { action, hidden = {}, hasFile = false, body, submit, others = [] }: Form,
): Html {
  return html`<form method="post" action="${action}"${attributes({ enctype: hasFile ? "multipart/form-data" : undefined })} novalidate>
${Object.entries({ csrf_token: context.csrfToken, ...hidden }).map(
  ([name, value]) => html`<input type="hidden"${attributes({ name, value })}>`,
)}${body !== undefined && html`\n${body}`}
<button type="submit" class="button ${submit.kind ?? "primary"}"${attributes({ "aria-label": submit.ariaLabel })}>${submit.label}</button>${others.map(
    ({ name, value, label }) =>
      html`\n<button type="submit" class="button secondary"${attributes({ name, value })}>${label}</button>`,
  )}
</form>`;
}

/** A link that looks like a button. */
export const buttonLink = (to: Href, label: HtmlValue, kind: ButtonKind = "primary"): Html =>
  html`<a class="button ${kind}" href="${to}">${label}</a>`;

/**
 * Renders a button that opens and closes an element (`popover`), also without script. The label is for screen readers
 * and the content for all others.
 */
export const menuButton = (of: string, label: string, content: Html): Html =>
  html`<button type="button" class="menu" popovertarget="${of}" aria-label="${label}">${content}</button>`;

/** Renders a link; with its full label where its text alone is ambiguous. */
export const link = (to: Href, label: HtmlValue, ariaLabel?: string): Html =>
  html`<a href="${to}"${attributes({ "aria-label": ariaLabel })}>${label}</a>`;

/** Renders a link to a page of a stranger, which learns neither where the user came from nor about this window. */
export const strangerLink = (to: Href, label: HtmlValue): Html =>
  html`<a href="${to}" target="_blank" rel="noopener noreferrer nofollow">${label}</a>`;

/** Renders a link of a navigation list, marked when it is the current page. */
export const navigationLink = (to: Href, label: HtmlValue, isHere: boolean): Html =>
  html`<a href="${to}"${attributes({ "aria-current": isHere ? "page" : undefined })}>${label}</a>`;
