import { createHash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import type { Language } from "../../base/language.ts";
import type { Call } from "../../call/index.ts";
import { findDraftBrand, type OwnedBrand } from "../../domain/branding/index.ts";
import {
  type OpenedPreview,
  openPreview,
  type PreviewedMessage,
  type PreviewedPage,
} from "../../domain/preview/index.ts";
import { contextLevelOf, listSignedInSessions, loadCallerAccess, type Session } from "../../domain/session/index.ts";
import { authorizeSettings } from "../../domain/settings/index.ts";
import {
  attributes,
  createPageContext,
  type Href,
  type Html,
  href,
  html,
  type PageBrand,
  render,
} from "../../html/index.ts";
import { renderSample } from "../../message/index.ts";
import { directionOf } from "../../text/index.ts";
import { previewHeaders, readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo } from "../visit/answer.ts";
import { allowedLanguages } from "../visit/choose-page-language.ts";
import { findSupportLinks } from "../visit/support-links.ts";
import { samplePage } from "./sample-pages.ts";

/** The address of the style sheets of previewed looks. */

const previewStylePath = "/ui/preview/style";

/**
 * Shows a page or message as it would be, with invented data. It is no page of the login: it has no form that could be
 * sent and no script, and answers only in a frame of a page of ours, in a browser in which its maker is signed in.
 */
export const showPreview =
  (deps: PageDeps): WebHandler =>
  async (request) => {
    const preview = await findPreview(deps, request, "iframe");
    if (preview === undefined) return absent(request);
    const { subject } = preview;
    return subject.kind === "page"
      ? showPage(deps, request, preview, subject)
      : showMessage(deps, request, preview, subject);
  };

/** Answers with the style sheet of the look of a preview. */
export const showPreviewStyle =
  (deps: PageDeps): WebHandler =>
  async (request) => {
    const preview = await findPreview(deps, request, "style");
    const brand = preview && (await findDraftBrand(deps.database.read, request.call.instanceId, preview));
    if (brand?.style === undefined) return absent(request);
    return {
      status: 200,
      headers: { ...headersOf(request), "content-type": "text/css; charset=utf-8" },
      body: brand.style.css,
    };
  };

// A browser says what it loads and from where (Fetch Metadata), which no page can change: a link that is opened, and a
// frame of another site, find nothing here.
async function findPreview(
  deps: PageDeps,
  request: WebRequest,
  destination: "iframe" | "style",
): Promise<OpenedPreview | undefined> {
  const isOwn = request.header("sec-fetch-site") === "same-origin";
  if (!isOwn || request.header("sec-fetch-dest") !== destination) return undefined;
  const sealed = new URLSearchParams(request.query).get("of") ?? "";
  const preview = openPreview(deps, request.call, sealed);
  const browser = readBrowser(request);
  if (preview === undefined || browser === undefined) return undefined;
  const { call } = request;
  const sessions = await listSignedInSessions(deps, call, browser.hash);
  for (const session of sessions.filter(({ userId }) => userId === preview.userId)) {
    if (await mayPreview(deps, call, session, preview)) return preview;
  }
  return undefined;
}

// It shows what is stored now, so its maker has to have the permission now, by a sign-in that is enough for it.
async function mayPreview(
  { database, settings }: Pick<PageDeps, "database" | "settings">,
  call: Call,
  session: Session,
  { userId, organizationId }: OpenedPreview,
): Promise<boolean> {
  const { read } = database;
  const identity = { userId, organizationId: session.organizationId ?? "", sessionId: session.sessionId };
  const deps = { database, settings, isStrict: read.isStrict === true };
  const held = await loadCallerAccess(deps, call, { identity, level: contextLevelOf(session) });
  try {
    await authorizeSettings(read, { ...call, caller: { ...identity, ...held } }, organizationId, "read");
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

async function showPage(
  deps: PageDeps,
  request: WebRequest,
  preview: OpenedPreview,
  subject: PreviewedPage,
): Promise<WebResponse> {
  const { instanceId, now } = request.call;
  const { language } = preview;
  // What an organization sets does not reach the pages on which users decide about their accounts.
  const isDecision = subject.page === "consent";
  const organizationId = isDecision || preview.organizationId === "" ? undefined : preview.organizationId;
  const brand = await findDraftBrand(deps.database.read, instanceId, preview);
  if (brand === undefined) return absent(request);
  const words = await wordsOf(deps, instanceId, { organizationId, language }, subject);
  const links = { call: { ...request.call, language }, textsOrganizationId: organizationId };
  const [styleHref] = styleHrefs(request, brand);
  const pageBrand: PageBrand = {
    ...brand,
    ...(styleHref && { styleHref }),
    hasBuiltInFont: isDecision && brand.isOfOrganization,
  };
  const languages = await allowedLanguages(deps.settings, instanceId);
  const context = createPageContext({
    texts: deps.texts,
    assets: deps.assets,
    language,
    csrfToken: "",
    languageLinks: languages.map((each) => ({ language: each, href: href("#") })),
    supportLinks: await findSupportLinks(deps, links, words),
    brand: pageBrand,
    words,
    isStill: true,
  });
  const suffix = brand.hidesLoginNameSuffix || brand.primaryDomain === "" ? undefined : `@${brand.primaryDomain}`;
  const drawn = samplePage(subject.page, context, { hasErrors: subject.hasErrors, suffix, at: now });
  return answer(request, { language, body: render(drawn) });
}

const none: ReadonlyMap<string, string> = new Map();

async function wordsOf(
  { findLoginWords }: Pick<PageDeps, "findLoginWords">,
  instanceId: string,
  { organizationId, language }: Pick<OpenedPreview, "language"> & { readonly organizationId: string | undefined },
  { texts }: PreviewedPage,
): Promise<ReadonlyMap<string, string>> {
  const words = new Map(await findLoginWords({ instanceId, organizationId, language }));
  const isOfInstance = organizationId === undefined;
  const above = isOfInstance ? none : await findLoginWords({ instanceId, organizationId: undefined, language });
  for (const [key, text] of Object.entries(texts)) {
    const shown = text === "" ? above.get(key) : text;
    if (shown === undefined) words.delete(key);
    else words.set(key, shown);
  }
  return words;
}

async function showMessage(
  deps: PageDeps,
  request: WebRequest,
  preview: OpenedPreview,
  { message: kind, parts }: PreviewedMessage,
): Promise<WebResponse> {
  const { instanceId } = request.call;
  const { organizationId, language } = preview;
  const brand = await findDraftBrand(deps.database.read, instanceId, preview);
  if (brand === undefined) return absent(request);
  const sample = { kind, language, organizationId, parts, brand, isStill: true };
  const rendered = await renderSample(deps, instanceId, sample);
  if (rendered.html === undefined) {
    const styles = [deps.assets.href("login.css"), ...styleHrefs(request, brand)];
    return answer(request, { language, body: render(textMessage(language, rendered.text, styles)) });
  }
  const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(rendered.html) ?? [];
  const styleHash = createHash("sha256").update(style).digest("base64");
  return answer(request, { language, body: rendered.html, styleHash });
}

/** Text messages have no look; only the colors of the theme are those of the pages. */
const textMessage = (language: Language, text: string, styles: readonly Href[]): Html => html`<!doctype html>
<html${attributes({ lang: language, dir: directionOf(language) })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SMS</title>
${styles.map((href) => html`<link rel="stylesheet" href="${href}">\n`)}</head>
<body class="narrow" inert><main><pre class="message" dir="auto">${text}</pre></main></body>
</html>
`;

const styleHrefs = (request: WebRequest, { style }: OwnedBrand): readonly Href[] =>
  style === undefined ? [] : [pathTo(previewStylePath, { of: new URLSearchParams(request.query).get("of") ?? "" })];

const answer = (
  request: WebRequest,
  { language, body, styleHash }: { readonly language: Language; readonly body: string; readonly styleHash?: string },
): WebResponse => ({
  status: 200,
  headers: {
    ...previewHeaders({ isHttps: isHttps(request), styleHash }),
    "content-type": "text/html; charset=utf-8",
    "content-language": language,
  },
  body,
});

const isHttps = ({ instance }: WebRequest): boolean => instance.origin.startsWith("https:");
const headersOf = (request: WebRequest) => previewHeaders({ isHttps: isHttps(request) });

// Also what has expired: the console asks for another link.
const absent = (request: WebRequest): WebResponse => ({ status: 404, headers: headersOf(request) });
