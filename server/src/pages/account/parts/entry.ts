import { type Html, type HtmlValue, html } from "../../../html/index.ts";

/** An entry of a list, with its details and actions. */
export interface Entry {
  readonly title: HtmlValue;
  /** Shown beside the title, such as "this device". */
  readonly mark?: string | undefined;
  /** Whether what the mark says is still to be done. */
  readonly isOpen?: boolean;
  readonly lines?: readonly HtmlValue[];
  readonly actions?: HtmlValue;
}

export const entryList = (entries: readonly Entry[]): Html =>
  html`<ul class="plain entries">${entries.map(
    ({ title, mark, isOpen = false, lines = [], actions }) =>
      html`<li class="entry"><div class="words"><p class="name">${title}${mark !== undefined && html` <span class="${isOpen ? "mark open" : "mark"}">${mark}</span>`}</p>
${lines.map((line) => line !== undefined && line !== false && html`<div class="hint">${line}</div>`)}</div>${actions !== undefined && html`<div class="acts">${actions}</div>`}`,
  )}</ul>`;

/** A part of a page with a heading. */
export const section = (id: string, heading: string, ...content: readonly HtmlValue[]): Html =>
  html`<section class="panel stack" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${content}</section>`;
