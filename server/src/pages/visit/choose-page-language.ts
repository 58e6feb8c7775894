import { chooseLanguage, type Language, matchLanguage, parseAcceptLanguage } from "../../base/language.ts";
import { type SettingsReader, spokenLanguages } from "../../domain/settings/index.ts";
import { cookieName, parseCookies, serializeCookie, type WebRequest } from "../../web/index.ts";

const cookie = "language";
const aYear = 365 * 86_400;

/** The languages that the instance allows; all that we speak when it says nothing. */
export async function allowedLanguages(settings: SettingsReader, instanceId: string): Promise<readonly Language[]> {
  return spokenLanguages((await settings.get("general", { instanceId })).settings);
}

/**
 * The language of a page: what the person chose on one of our pages, else what the application asked for (`ui_locales`), else what the browser
 * asks for, else the instance's default. Only languages that are allowed.
 */
export function choosePageLanguage(
  request: WebRequest,
  allowed: readonly Language[],
  uiLocales: readonly string[] = [],
): Language {
  const pick = (tags: Iterable<string>): Language | undefined =>
    chooseLanguage([...tags].filter((tag) => allowed.some((language) => language === matchLanguage(tag))));
  const chosen = parseCookies(request.header("cookie")).get(cookieName(cookie, isHttps(request)));
  const wanted = parseAcceptLanguage(request.header("accept-language"));
  for (const tags of [chosen === undefined ? [] : [chosen], uiLocales, wanted, [request.instance.defaultLanguage]]) {
    const language = pick(tags);
    if (language !== undefined) return language;
  }
  return allowed[0] ?? "en";
}

/** The `Set-Cookie` value that keeps the language which the person chose. */
export const languageCookie = (request: WebRequest, language: Language): string =>
  serializeCookie(cookie, language, { isSecure: isHttps(request), maxAgeSeconds: aYear });

const isHttps = ({ instance }: WebRequest): boolean => instance.origin.startsWith("https:");
