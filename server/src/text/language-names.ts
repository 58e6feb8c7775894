import type { Language } from "../base/language.ts";

/**
 * Each language's own name for itself, with a capital as it stands alone in a list. Written down, because every page
 * lists all of them, and asking ICU reads the data of 22 languages into memory. A test compares them with ICU.
 */
export const languageNames: Readonly<Record<Language, string>> = {
  ar: "العربية",
  bg: "Български",
  cs: "Čeština",
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  hu: "Magyar",
  id: "Indonesia",
  it: "Italiano",
  ja: "日本語",
  ko: "한국어",
  mk: "Македонски",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
  ro: "Română",
  ru: "Русский",
  sv: "Svenska",
  tr: "Türkçe",
  uk: "Українська",
  zh: "中文",
};
