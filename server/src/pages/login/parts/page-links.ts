import { type Href, type Html, html, icon, link, type PageContext } from "../../../html/index.ts";

/** Links to other pages. Those that do not exist on this installation are absent. */
export interface PageLinks {
  readonly accountHref?: Href | undefined;
  readonly consoleHref?: Href | undefined;
  readonly docsHref?: Href | undefined;
  /** Captured mail; only in development. */
  readonly inboxHref?: Href | undefined;
}

/** Renders the links as tiles; nothing without links. */
export function linkTiles(context: PageContext, links: PageLinks): Html | undefined {
  const all = [
    ["account", links.accountHref, "person"],
    ["console", links.consoleHref, "shield"],
    ["docs", links.docsHref, "code"],
    ["inbox", links.inboxHref, "mail"],
  ] as const;
  const there = all.flatMap(([name, to, drawn]) => (to === undefined ? [] : [{ name, to, drawn }]));
  if (there.length === 0) return undefined;
  return html`<ul class="plain tiles">${there.map(
    ({ name, to, drawn }) =>
      html`<li class="tile">${icon(drawn)}${link(to, context.say(`start.${name}`))}<p class="hint">${context.say(`start.${name}_text`)}</p></li>`,
  )}</ul>`;
}
