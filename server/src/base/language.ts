/** Languages whose catalogues are complete. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** Languages in which people are written to: each has the words of every message, also those without pages and errors yet. */
export const messageLanguages = [
  "ar",
  "bg",
  "cs",
  "de",
  "en",
  "es",
  "fr",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "mk",
  "nl",
  "pl",
  "pt",
  "ro",
  "ru",
  "sv",
  "tr",
  "uk",
  "zh",
] as const;
export type MessageLanguage = (typeof messageLanguages)[number];

const known = new Set<string>(languages);
const knownToMessages = new Set<string>(messageLanguages);

/** The supported language that serves a BCP 47 tag (`de-AT` → `de`), or undefined. */
export function matchLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split("-", 1)[0] ?? "";
  return known.has(primary) ? (primary as Language) : undefined;
}

/** The language of messages that serves a BCP 47 tag, or undefined. */
export function matchMessageLanguage(tag: string): MessageLanguage | undefined {
  const primary = tag.trim().toLowerCase().split("-", 1)[0] ?? "";
  return knownToMessages.has(primary) ? (primary as MessageLanguage) : undefined;
}

/** The first supported language of a list in order of preference (`ui_locales`), or undefined. */
export function chooseLanguage(tags: Iterable<string>): Language | undefined {
  for (const tag of tags) {
    const language = matchLanguage(tag);
    if (language !== undefined) return language;
  }
  return undefined;
}

/** Tags of an Accept-Language header, most wanted first (RFC 9110 §12.5.4). Malformed parts are passed over. */
export function parseAcceptLanguage(header: string | undefined): string[] {
  if (header === undefined || header.length > 1000) return [];
  const weighted: { tag: string; weight: number }[] = [];
  for (const part of header.split(",", 50)) {
    const [tag = "", ...parameters] = part.split(";");
    const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("q="));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (tag.trim() !== "" && weight > 0 && weight <= 1) weighted.push({ tag: tag.trim(), weight });
  }
  return weighted.sort((left, right) => right.weight - left.weight).map(({ tag }) => tag);
}
