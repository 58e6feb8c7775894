import type { Language } from "../../base/language.ts";
import {
  createPageContext,
  type Href,
  type Html,
  href,
  type LanguageLink,
  type PageBrand,
  type PageContext,
} from "../../html/index.ts";
import { browserCookie, isBrowserNew, type Surface, type WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { respondWithPage } from "../respond.ts";
import { csrfTokenOf } from "./csrf-token.ts";
import { findSupportLinks } from "./support-links.ts";
import type { Visit } from "./visit.ts";

export interface ShowOptions {
  readonly status?: number;
  /** Whether the address of the page identifies it, for language links; false for the response to a POST. */
  readonly isAddressable?: boolean;
  /** The surface of the page; the login by default. Account pages may never be framed. */
  readonly surface?: Surface;
  /** Whether a form of the page redirects to another server. */
  readonly isLeaving?: boolean;
  /** Whether it contains a form, so that a new browser needs a secret. */
  readonly hasForm?: boolean;
  /**
   * Whether the user decides there what others may do with their account. Nothing of an organization changes what such
   * a page says: it has the words, links and font of the instance. It may never be framed.
   */
  readonly isDecision?: boolean;
  /** Whether it offers the way back to the application that waits; false for pages that have their own. */
  readonly isReturnOffered?: boolean;
}

/** Answers with a page. A new browser receives its secret with it. */
export async function show(
  deps: PageDeps,
  visit: Visit,
  draw: (context: PageContext) => Html,
  options: ShowOptions = {},
): Promise<WebResponse> {
  const { status = 200, isAddressable = true, hasForm = true, surface = "login", isLeaving = false } = options;
  const { isReturnOffered = true, isDecision = false } = options;
  const { request, call, browser, isKnown, languages } = visit;
  const { language } = call;
  const { embeddedIframe } = (await deps.settings.getCommitted("security", { instanceId: call.instanceId })).settings;
  const speaking = isDecision ? { ...visit, textsOrganizationId: undefined } : visit;
  const { textsOrganizationId: organizationId } = speaking;
  // Only a link named the organization whose branding the page has: its font could draw any word as another.
  const isOnlyNamed = visit.organizationId !== visit.textsOrganizationId;
  const words = await deps.findLoginWords({ instanceId: call.instanceId, organizationId, language });
  const context = createPageContext({
    texts: deps.texts,
    assets: deps.assets,
    language,
    csrfToken: csrfTokenOf(browser),
    languageLinks: isAddressable ? languageLinks(visit, languages) : [],
    supportLinks: await findSupportLinks(deps, speaking, words),
    brand: await findPageBrand(deps, visit, { hasBuiltInFont: isDecision || surface === "account" || isOnlyNamed }),
    words,
    returnTo: isReturnOffered ? visit.returnTo : undefined,
  });
  const { origin } = request.instance;
  // A frame's page could cover or move what the user decides about.
  const isFramed = embeddedIframe.enabled && surface === "login" && !isDecision;
  return respondWithPage({
    page: draw(context),
    language,
    origin,
    status,
    surface,
    isLeaving,
    frameAncestors: isFramed ? embeddedIframe.allowedOrigins : [],
    ...(!isKnown && hasForm && isBrowserNew(request) && { headers: { "set-cookie": browserCookie(browser, origin) } }),
  });
}

/** Finds the branding of a page for a visit; with `hasBuiltInFont`, without a font of an organization. */
export async function findPageBrand(
  deps: Pick<PageDeps, "findBrand">,
  { call, organizationId }: Pick<Visit, "call" | "organizationId">,
  { hasBuiltInFont = false }: { readonly hasBuiltInFont?: boolean } = {},
): Promise<PageBrand> {
  const brand = await deps.findBrand(call.instanceId, organizationId);
  const of = brand.organizationId === "" ? undefined : brand.organizationId;
  return {
    ...brand,
    ...(brand.style && { styleHref: pathTo(`/branding/${brand.style.hash}.css`, { of }) }),
    hasBuiltInFont: hasBuiltInFont && brand.isOfOrganization,
  };
}

/** Redirects the browser (RFC 9110 §15.4.4): the form is done, and reloading the next page does not repeat it. */
export const seeOther = (location: string, headers: WebResponse["headers"] = {}): WebResponse => ({
  status: 303,
  headers: { "cache-control": "no-store", "referrer-policy": "same-origin", ...headers, location },
});

/** Returns the address of one of our pages with parameters. Undefined values are left out. */
export function pathTo(path: string, parameters: Readonly<Record<string, string | undefined>> = {}): Href {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return href(query.size === 0 ? path : `${path}?${query.toString()}`);
}

// Our own addresses are shorter. Each language would repeat what a stranger wrote behind one.
const longestQuery = 2048;

/** Returns links to the same page in each of the languages; none for an address that is longer than ours are. */
function languageLinks({ request, query }: Visit, languages: readonly Language[]): LanguageLink[] {
  if (request.query.length > longestQuery) return [];
  const kept = new URLSearchParams(query);
  kept.delete("language");
  const start = kept.size === 0 ? "" : `${kept.toString()}&`;
  return languages.map((language) => ({ language, href: href(`${request.path}?${start}language=${language}`) }));
}
