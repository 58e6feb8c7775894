import { attributes, type Html, html, type PageContext } from "../../html/index.ts";

/** Marks English text on a page in another language: comments of the contract are English. */
export const inEnglish = ({ language }: PageContext): Html =>
  attributes({ lang: language === "en" ? undefined : "en" });

/** Renders a comment of the contract as paragraphs; words between backquotes are code. */
export const prose = (context: PageContext, text: string): Html =>
  html`${text
    .split("\n\n")
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => html`<p${inEnglish(context)}>${withCode(paragraph)}</p>`)}`;

/** Renders a sentence with code in it. */
export const withCode = (sentence: string): Html =>
  html`${sentence.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;

/** Renders a label. */
export const badge = (word: string, isWarning = false): Html =>
  html` <span class="badge${isWarning && " warning"}">${word}</span>`;
