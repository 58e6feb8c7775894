import type { Language } from "../../base/language.ts";
import type { Call } from "../../call/index.ts";
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
  /** Whether the browser brought its secret, or gets one with the answer. */
  readonly isKnown: boolean;
  readonly languages: readonly Language[];
  /** Whose look and words the page has; those of the instance when not given. */
  readonly organizationId?: string | undefined;
}

/** Looks at who comes. */
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

/** The visit in the language that an application asked for, unless the person chose one. */
export const inLanguageOf = (visit: Visit, uiLocales: readonly string[]): Visit => ({
  ...visit,
  call: { ...visit.call, language: choosePageLanguage(visit.request, visit.languages, uiLocales) },
});

/** The visit with the look and the words of an organization. */
export const inLookOf = (visit: Visit, organizationId: string | undefined): Visit => ({ ...visit, organizationId });

/** The host of the instance that the browser is at: what passkeys are made for. */
export const hostOf = ({ instance }: WebRequest): string => new URL(instance.origin).hostname;
