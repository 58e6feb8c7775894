import { type Href, type Html, html, icon, type PageContext, strangerLink, strong } from "../../html/index.ts";

/** The application that the user signs in to. Name and host come from its registration: text, never trusted. */
export interface ClientView {
  readonly name: string;
  /** Host of the address that receives the response, so that a false name can be recognized. */
  readonly host?: string | undefined;
  /** Address of its logo, on this server. */
  readonly logoHref?: Href | undefined;
  /** What it says of itself elsewhere. Its addresses are a stranger's, so their hosts are shown. */
  readonly documents?: readonly ClientDocument[];
}

/** The terms or the privacy policy of a client. */
export interface ClientDocument {
  readonly kind: "terms" | "privacy";
  readonly href: Href;
  readonly host: string;
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

/** Renders the application beneath the title, with its terms and privacy policy; nothing without one. */
export const clientLine = (context: PageContext, client: ClientView | undefined): Html | undefined =>
  client &&
  html`${withLogo(
    client,
    html`${context.sayHtml("client.line", { client: strong(client.name) })}${
      client.host !== undefined &&
      client.host !== client.name &&
      html` <span class="host"><bdi>${client.host}</bdi></span>`
    }`,
  )}${documentLinks(context, client)}`;

/** Renders words about an application beside its logo, which is decoration: the words name the application. */
export const withLogo = ({ logoHref }: ClientView, words: Html): Html =>
  logoHref === undefined
    ? html`<p>${words}</p>`
    : html`<div class="client"><span class="client-logo"><img src="${logoHref}" alt=""></span><p>${words}</p></div>`;

/** Renders terms and privacy policy of an application as links; nothing without any. */
export const documentLinks = (context: PageContext, { documents = [] }: ClientView): Html | undefined =>
  documents.length === 0
    ? undefined
    : html`<p class="client-documents">${documents.map(
        ({ kind, href, host }) =>
          html`<span>${strangerLink(href, context.say(documentNames[kind]))} <bdi>${host}</bdi></span>`,
      )}</p>`;

/** Renders the same as entries of a list of facts. */
export const documentLines = (context: PageContext, { documents = [] }: ClientView): Html[] =>
  documents.map(
    ({ kind, href, host }) => html`
<div><dt>${context.say(documentNames[kind])}</dt>
<dd>${strangerLink(href, html`<bdi>${host}</bdi>`)}</dd></div>`,
  );

const documentNames = { terms: "page.terms", privacy: "page.privacy" } as const;

/** Renders the heading of a page about an outcome, with its icon above it. */
export const statusHeading = (
  status: "success" | "mail",
  title: string,
  ...lines: readonly (Html | undefined)[]
): Html =>
  html`<div class="title"><span class="status ${status}">${icon(status)}</span><h1>${title}</h1>${lines}</div>`;

/** Renders the heading of a page, with the application beneath it. */
export const heading = (title: string, ...lines: readonly (Html | undefined)[]): Html =>
  html`<div class="title"><h1>${title}</h1>${lines}</div>`;
