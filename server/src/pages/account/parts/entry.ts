import { type Html, type HtmlValue, html } from "../../../html/index.ts";

/** An entry of a list, with its details and actions. */
export interface Entry {
  /** A decoration before the title. */
  readonly icon?: Html;
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
    ({ icon, title, mark, isOpen = false, lines = [], actions }) =>
      html`<li class="entry">${icon}<div class="words"><p class="name">${title}${mark !== undefined && html` <span class="${isOpen ? "badge open" : "badge"}">${mark}</span>`}</p>
${lines.map((line) => line !== undefined && line !== false && html`<div class="hint">${line}</div>`)}</div>${actions !== undefined && actions !== false && html`<div class="acts">${actions}</div>`}`,
  )}</ul>`;

/** A part of a page with a heading. */
export const section = (id: string, heading: string, ...content: readonly HtmlValue[]): Html =>
  html`<section class="panel stack" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${content}</section>`;
