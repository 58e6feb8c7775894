import { type Html, type HtmlValue, html, type IconName, icon } from "../../../html/index.ts";

/** An entry of a list, with its details and actions. */
export interface Entry {
  /** A decoration before the title. */
  readonly icon?: IconName;
  /** Whether the entry is a warning. */
  readonly isWarning?: boolean;
  readonly title: HtmlValue;
  /** Shown beside the title, such as "this device". */
  readonly mark?: string | undefined;
  /** Whether what the mark says is still to be done, or is as it should be. */
  readonly isOpen?: boolean;
  readonly isGood?: boolean;
  readonly lines?: readonly HtmlValue[];
  readonly actions?: HtmlValue;
}

export const entryList = (entries: readonly Entry[]): Html =>
  html`<ul class="plain entries">${entries.map(
    ({ icon: name, isWarning = false, title, mark, isOpen = false, isGood = false, lines = [], actions }) =>
      html`<li class="${isWarning ? "entry warning" : "entry"}">${name !== undefined && icon(name)}<div class="words"><p class="name">${title}${mark !== undefined && html` <span class="badge${isOpen && " open"}${isGood && " good"}">${mark}</span>`}</p>
${lines.map((line) => line !== undefined && line !== false && html`<div class="hint">${line}</div>`)}</div>${actions !== undefined && actions !== false && html`<div class="acts">${actions}</div>`}`,
  )}</ul>`;

/** A part of a page with a heading. */
export const section = (id: string, heading: string, ...content: readonly HtmlValue[]): Html =>
  html`<section class="panel stack" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${content}</section>`;
