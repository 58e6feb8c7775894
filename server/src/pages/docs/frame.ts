import {
  type Href,
  type Html,
  type HtmlValue,
  html,
  icon,
  link,
  menuButton,
  type PageContext,
  page,
  searchButton,
  searchDialog,
} from "../../html/index.ts";
import { type Navigation, navigation } from "./navigation.ts";

/** What the pages of the reference share. */
export interface DocsFrame {
  readonly navigation: Navigation;
  /** What the search looks in. */
  readonly searchHref: Href;
}

export interface DocsPage {
  readonly title: string;
  /** The pages above this one, the nearest last. */
  readonly above?: readonly { readonly label: string; readonly href: Href }[];
  readonly body: HtmlValue;
  /** Beside the text on wide screens: examples. */
  readonly aside?: HtmlValue;
}

/** Renders a page of the reference: navigation, breadcrumbs, content and examples. */
export const docsPage = (context: PageContext, frame: DocsFrame, { title, above = [], body, aside }: DocsPage): Html =>
  page(context, {
    title: above.length === 0 ? title : `${title} – API reference`,
    width: "wide docs",
    styles: ["docs.css"],
    scripts: ["docs.js"],
    bar: html`<div class="docs-bar">${searchButton(frame.searchHref)}
${menuButton("docs-nav", "Contents of the reference", icon("menu"))}</div>`,
    body: html`${navigation(frame.navigation)}
<div class="docs-content${aside !== undefined && " with-aside"}"><div class="docs-text stack">${
      above.length > 0 &&
      html`<nav aria-label="You are here"><ol class="breadcrumb">${above.map((one) => html`<li>${link(one.href, one.label)}</li>`)}</ol></nav>`
    }<h1>${title}</h1>
${body}</div>${aside !== undefined && html`\n<div class="docs-aside stack">${aside}</div>`}</div>
${searchDialog()}`,
  });
