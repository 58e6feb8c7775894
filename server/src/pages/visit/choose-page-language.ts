import { chooseLanguage, type Language, matchLanguage, parseAcceptLanguage } from "../../base/language.ts";
import { type SettingsReader, spokenLanguages } from "../../domain/settings/index.ts";
import { cookieName, parseCookies, serializeCookie, type WebRequest } from "../../web/index.ts";

const cookie = "language";
const aYear = 365 * 86_400;

/** Returns the languages that the instance allows; all supported ones by default. */
export async function allowedLanguages(settings: SettingsReader, instanceId: string): Promise<readonly Language[]> {
  return spokenLanguages((await settings.get("general", { instanceId })).settings);
}

/**
 * Returns the language of a page: the user's choice on one of our pages, otherwise the application's (`ui_locales`),
 * otherwise the browser's, otherwise the instance's default. Only allowed languages.
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

/** Returns the `Set-Cookie` value that stores the user's choice of language. */
export const languageCookie = (request: WebRequest, language: Language): string =>
  serializeCookie(cookie, language, { isSecure: isHttps(request), maxAgeSeconds: aYear });

const isHttps = ({ instance }: WebRequest): boolean => instance.origin.startsWith("https:");
