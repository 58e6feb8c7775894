/** The supported languages: pages, errors, mails and text messages exist in each of them. */
export const languages = [
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
export type Language = (typeof languages)[number];

const known = new Set<string>(languages);

/** Returns the supported language that matches a BCP 47 tag (`de-AT` → `de`), or undefined. */
export function matchLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split("-", 1)[0] ?? "";
  return known.has(primary) ? (primary as Language) : undefined;
}

/** Returns the first supported language of a list in order of preference (`ui_locales`), or undefined. */
export function chooseLanguage(tags: Iterable<string>): Language | undefined {
  for (const tag of tags) {
    const language = matchLanguage(tag);
    if (language !== undefined) return language;
  }
  return undefined;
}

/** Returns the tags of an Accept-Language header, most preferred first (RFC 9110 §12.5.4). Skips malformed parts. */
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
