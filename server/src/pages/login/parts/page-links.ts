import { type Href, type Html, html, link, type PageContext } from "../../../html/index.ts";

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
    ["account", links.accountHref],
    ["console", links.consoleHref],
    ["docs", links.docsHref],
    ["inbox", links.inboxHref],
  ] as const;
  const there = all.flatMap(([name, to]) => (to === undefined ? [] : [{ name, to }]));
  if (there.length === 0) return undefined;
  return html`<ul class="plain tiles">${there.map(
    ({ name, to }) =>
      html`<li class="tile">${link(to, context.say(`start.${name}`))}<p class="hint">${context.say(`start.${name}_text`)}</p></li>`,
  )}</ul>`;
}
