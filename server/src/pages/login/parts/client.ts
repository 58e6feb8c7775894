import { type Html, html, type PageContext, strong } from "../../../html/index.ts";

/** The application that the user signs in to. Name and host come from its registration: text, never trusted. */
export interface ClientView {
  readonly name: string;
  /** Host of the address that receives the response, so that a false name can be recognized. */
  readonly host?: string | undefined;
}

/** The organization that an application belongs to. */
export interface ClientOwner {
  readonly name: string;
  /** Name of the user's organization, when it is another one that did not approve the application. */
  readonly unapprovedBy?: string | undefined;
}

/** Renders the organization of an application as an entry of a list of facts. */
export const ownerLine = (context: PageContext, owner: ClientOwner | undefined): Html | undefined =>
  owner &&
  html`<div><dt>${context.say("consent.organization")}</dt><dd><bdi>${owner.name}</bdi></dd></div>
`;

/** Renders the warning about an application of an organization that the user's own did not approve. */
export const foreignWarning = (context: PageContext, owner: ClientOwner | undefined): Html | undefined =>
  owner?.unapprovedBy === undefined
    ? undefined
    : html`<p>${context.sayHtml("consent.foreign", { organization: strong(owner.name), home: strong(owner.unapprovedBy) })}</p>`;

/** Renders the application beneath the title; nothing without one. */
export const clientLine = (context: PageContext, client: ClientView | undefined): Html | undefined =>
  client &&
  html`<p>${context.sayHtml("client.line", { client: strong(client.name) })}${
    client.host !== undefined &&
    client.host !== client.name &&
    html` <span class="host"><bdi>${client.host}</bdi></span>`
  }</p>`;

/** Renders the heading of a page, with the application beneath it. */
export const heading = (title: string, ...lines: readonly (Html | undefined)[]): Html =>
  html`<div class="title"><h1>${title}</h1>${lines}</div>`;
