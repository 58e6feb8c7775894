import { type Html, html, type PageContext, strong } from "../../html/index.ts";

/** The application that somebody signs in to. Name and host come from its registration: text, never trusted. */
export interface ClientView {
  readonly name: string;
  /** Host of the address that gets the answer, so that a borrowed name is noticed. */
  readonly host?: string | undefined;
}

/** Who asked for the sign-in, beneath the title. Nothing when nobody did. */
export const clientLine = (context: PageContext, client: ClientView | undefined): Html | undefined =>
  client &&
  html`<p>${context.sayHtml("client.line", { client: strong(client.name) })}${
    client.host !== undefined &&
    client.host !== client.name &&
    html` <span class="host"><bdi>${client.host}</bdi></span>`
  }</p>`;

/** The heading of a page, with the application beneath it. */
export const heading = (title: string, ...lines: readonly (Html | undefined)[]): Html =>
  html`<div class="title"><h1>${title}</h1>${lines}</div>`;
