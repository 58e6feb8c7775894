import type { Language } from "../../base/language.ts";
import type { Call } from "../../call/index.ts";
import type { ReturnTo } from "../../html/index.ts";
import { type Browser, newBrowser, readBrowser, type WebRequest } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { allowedLanguages, choosePageLanguage } from "./choose-page-language.ts";

/** A browser on one of our pages. */
export interface Visit {
  readonly request: WebRequest;
  /** The call of the request, in the language of the page. */
  readonly call: Call;
  readonly query: URLSearchParams;
  readonly browser: Browser;
  /** Whether the browser sent its secret, or receives one with the response. */
  readonly isKnown: boolean;
  readonly languages: readonly Language[];
  /** The organization that determines the branding; the instance by default. */
  readonly organizationId?: string | undefined;
  /** The organization whose texts and links the page has; the instance by default. */
  readonly textsOrganizationId?: string | undefined;
  /** The application that waits for this visit, and where the user returns to it without signing in. */
  readonly returnTo?: ReturnTo | undefined;
}

/** Returns the visit of a request: its browser, and the language of its page. */
export async function openVisit(deps: PageDeps, request: WebRequest): Promise<Visit> {
  const languages = await allowedLanguages(deps.settings, request.call.instanceId);
  const known = readBrowser(request);
  return {
    request,
    call: { ...request.call, language: choosePageLanguage(request, languages) },
    query: new URLSearchParams(request.query),
    browser: known ?? newBrowser(deps.random),
    isKnown: known !== undefined,
    languages,
  };
}

/** Returns the visit in the language that an application requested, unless the user chose one. */
export const inLanguageOf = (visit: Visit, uiLocales: readonly string[]): Visit => ({
  ...visit,
  call: { ...visit.call, language: choosePageLanguage(visit.request, visit.languages, uiLocales) },
});

/** The organizations that determine the branding of a page, and its texts and links. */
export type Look = Pick<Visit, "organizationId" | "textsOrganizationId">;

/** Returns the visit with the branding, texts and links of an organization. */
export const inLookOf = (visit: Visit, organizationId: string | undefined): Visit => ({
  ...visit,
  organizationId,
  textsOrganizationId: organizationId,
});

/** Returns the instance's host in the browser: the domain of passkeys. */
export const hostOf = ({ instance }: WebRequest): string => new URL(instance.origin).hostname;
