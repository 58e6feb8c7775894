import { parseText } from "../text/index.ts";
import { type Html, type HtmlValue, html } from "./html.ts";

/** Fills the placeholders of a text with markup or text. The words around them are escaped like any text. */
export function fillHtml(pattern: string, values: Readonly<Record<string, HtmlValue>>): Html {
  return html`${parseText(pattern).map((part) => {
    if ("words" in part) return part.words;
    return Object.hasOwn(values, part.placeholder) ? values[part.placeholder] : `{${part.placeholder}}`;
  })}`;
}

/** Isolates a user-chosen name, so that it cannot reorder the sentence around it (Unicode bidirectional algorithm). */
export const given = (name: string): Html => html`<bdi>${name}</bdi>`;

/** The same, emphasised. */
export const strong = (name: string): Html => html`<strong><bdi>${name}</bdi></strong>`;
