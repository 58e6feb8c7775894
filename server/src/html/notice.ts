import { type AttributeValue, attributes, type Html, type HtmlValue, html } from "./html.ts";
import { icon } from "./icons.ts";

/**
 * What a notice means, by color and icon: something went wrong, a danger, what to consider, what has worked, or a fact.
 */
type NoticeKind = "error" | "danger" | "warning" | "success" | "info";

const looks = {
  error: ["alert", "error"],
  danger: ["alert", "warning"],
  warning: ["notice warning", "warning"],
  success: ["notice success", "success"],
  info: ["notice", "info"],
} as const;

/** Renders a notice with its icon; `more` are attributes. Only the words have its `role`. */
export function notice(kind: NoticeKind, body: HtmlValue, more: Readonly<Record<string, AttributeValue>> = {}): Html {
  const [look, name] = looks[kind];
  const { role, ...others } = more;
  return html`<div class="${look}"${attributes(others)}>${icon(name)}<div${attributes({ role })}>${body}</div></div>`;
}
