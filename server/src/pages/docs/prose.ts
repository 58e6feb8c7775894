import { type Html, html } from "../../html/index.ts";

/** Renders a comment of the contract as paragraphs; words between backquotes are code. */
export const prose = (text: string): Html =>
  html`${text
    .split("\n\n")
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => html`<p>${withCode(paragraph)}</p>`)}`;

/** Renders a sentence with code in it. */
export const withCode = (sentence: string): Html =>
  html`${sentence.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;

/** Renders a label. */
export const badge = (word: string, isWarning = false): Html =>
  html` <span class="badge${isWarning && " warning"}">${word}</span>`;
