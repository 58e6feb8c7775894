import { type Href, type Html, html, link, type PageContext } from "../../../html/index.ts";

/** Links to the other pages of a list. */
export interface Pager {
  readonly newerHref?: Href | undefined;
  readonly olderHref?: Href | undefined;
}

export const pager = (context: PageContext, { newerHref, olderHref }: Pager): Html | false =>
  (newerHref !== undefined || olderHref !== undefined) &&
  html`<nav class="pager" aria-label="${context.say("account.pages")}">${newerHref !== undefined && link(newerHref, context.say("account.newer"))}
${olderHref !== undefined && link(olderHref, context.say("account.older"))}</nav>`;
