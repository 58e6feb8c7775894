import { type Href, type Html, type HtmlValue, href, html, link, type PageContext, page } from "../../html/index.ts";

/** Path of the reference. */
export const docsPath = "/docs";

/** Returns the address of a service, or of one of its methods. */
export const docsHref = (service: string, method?: string): Href =>
  href(`${docsPath}/${service}${method === undefined ? "" : `/${method}`}`);

/** Returns the last part of a dotted name: the usual name of a service or a type. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

export interface DocsPage {
  readonly title: string;
  /** The pages above this one, the nearest last. */
  readonly above?: readonly { readonly label: string; readonly href: Href }[];
  readonly body: HtmlValue;
}

/** Renders a page of the reference: the breadcrumbs, then its content. */
export const docsPage = (context: PageContext, { title, above = [], body }: DocsPage): Html =>
  page(context, {
    title: above.length === 0 ? title : `${title} – ${context.say("docs.title")}`,
    width: "wide",
    styles: ["docs.css"],
    body: html`<div class="docs stack">${
      above.length > 0 &&
      html`<nav aria-label="${context.say("docs.where")}"><ol class="breadcrumb">${above.map((page) => html`<li>${link(page.href, page.label)}</li>`)}</ol></nav>`
    }<h1>${title}</h1>
${body}</div>`,
  });
