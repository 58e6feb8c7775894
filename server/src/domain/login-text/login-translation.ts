import { createHash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { isRecord } from "../../base/json.ts";

/** Texts by key; keys may be nested. */
export interface Translations {
  readonly [key: string]: string | Translations;
}

/** Effective texts, with a tag of 32 characters that changes with them. */
export interface TaggedTranslations {
  readonly translations: Translations;
  readonly etag: string;
}

const deepest = 10;
const longest = 500_000;

/** Returns the language tag in its canonical form. */
export function parseLocale(locale: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(locale);
    if (canonical !== undefined && canonical.length <= 35) return canonical;
  } catch {
    // Reported below.
  }
  throw new Fault("invalid_argument", "user.language_invalid", { field: "locale" });
}

/** Parses texts as they were sent. Refuses values that are not texts. */
export function parseTranslations(given: unknown): Translations {
  const translations = parseLevel(given, 1);
  if (JSON.stringify(translations).length > longest) throw invalid();
  return translations;
}

function parseLevel(given: unknown, depth: number): Translations {
  if (!isRecord(given) || depth > deepest) throw invalid();
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      if (key === "" || key.length > 200) throw invalid();
      return [key, typeof value === "string" ? value : parseLevel(value, depth + 1)];
    }),
  );
}

const invalid = (): Fault => new Fault("invalid_argument", "settings.translation_invalid", { field: "translations" });

/** Merges texts over others: where both have a key, the upper one counts. */
export function mergeTranslations(lower: Translations, upper: Translations): Translations {
  const merged = new Map<string, string | Translations>(Object.entries(lower));
  for (const [key, value] of Object.entries(upper)) {
    const below = merged.get(key);
    const areBothNested = typeof value === "object" && typeof below === "object";
    merged.set(key, areBothNested ? mergeTranslations(below, value) : value);
  }
  return Object.fromEntries(merged);
}

/** Nests texts whose keys have dots (`sign_in.title`). */
export function nestTexts(texts: Iterable<readonly [key: string, text: string]>): Translations {
  let nested: Translations = {};
  for (const [key, text] of texts) {
    const one = key.split(".").reduceRight<string | Translations>((inner, part) => ({ [part]: inner }), text);
    if (typeof one === "object") nested = mergeTranslations(nested, one);
  }
  return nested;
}

/** Returns the tag of texts, which does not depend on their order. */
export function tagOf(translations: Translations): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(translations)))
    .digest("hex")
    .slice(0, 32);
}

function sorted(translations: Translations): Translations {
  const entries = Object.entries(translations).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === "string" ? value : sorted(value)]));
}
