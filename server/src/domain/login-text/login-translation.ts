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
const mostTexts = 5_000;
const longestKey = 200;

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

/** Parses texts as they were sent. Refuses values that are not texts, and two texts of one key. */
export function parseTranslations(given: unknown): Translations {
  const translations = parseLevel(given, 1);
  checkRoom({}, translations);
  checkSpellings(translations);
  return translations;
}

/** Refuses a key that is spelled in two ways (nested, and with dots): what is checked must be what is shown. */
function checkSpellings(translations: Translations): void {
  const seen = new Set<string>();
  for (const [key] of entriesOf(translations)) {
    if (seen.has(key)) {
      const values = { field: key };
      throw new Fault("invalid_argument", "field.not_unique", { field: "translations", values });
    }
    seen.add(key);
  }
}

/** Lists texts by their full keys (`sign_in.title`); one that is spelled in two ways is there twice. */
export const entriesOf = (level: Translations, prefix = ""): (readonly [key: string, text: string])[] =>
  Object.entries(level).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value] as const] : entriesOf(value, `${prefix}${key}.`),
  );

/**
 * Refuses more texts of a level in a language than there is room for. What was stored before there was a limit can
 * become less.
 */
export function checkRoom(before: Translations, after: Translations): void {
  if (countTexts(after) > Math.max(mostTexts, countTexts(before))) {
    const field = "translations";
    throw new Fault("invalid_argument", "field.too_many", { field, values: { field, maximum: mostTexts } });
  }
  if (lengthOf(after) > Math.max(longest, lengthOf(before))) throw invalid();
}

const lengthOf = (translations: Translations): number => JSON.stringify(translations).length;

const countTexts = (translations: Translations): number =>
  Object.values(translations).reduce<number>((sum, each) => sum + (typeof each === "string" ? 1 : countTexts(each)), 0);

function parseLevel(given: unknown, depth: number): Translations {
  if (!isRecord(given) || depth > deepest) throw invalid();
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      if (key === "" || key.length > longestKey) throw invalid();
      return [key, typeof value === "string" ? value : parseLevel(value, depth + 1)];
    }),
  );
}

const invalid = (): Fault => new Fault("invalid_argument", "settings.translation_invalid", { field: "translations" });

/**
 * Merges texts over others: where both have a full key, the upper one counts, however either spells it, and is nested.
 */
export function mergeTranslations(lower: Translations, upper: Translations): Translations {
  const below = new Set(entriesOf(lower).map(([key]) => key));
  const shared = new Map(entriesOf(upper).filter(([key]) => below.has(key)));
  const top = toLevel(lower, "", (key) => shared.has(key));
  for (const [key, text] of shared) put(top, key.split("."), text);
  return mergeLevels(toTranslations(top), toTranslations(toLevel(upper, "", (key) => shared.has(key))));
}

function mergeLevels(lower: Translations, upper: Translations): Translations {
  const merged = new Map<string, string | Translations>(Object.entries(lower));
  for (const [key, value] of Object.entries(upper)) {
    const below = merged.get(key);
    const areBothNested = typeof value === "object" && typeof below === "object";
    merged.set(key, areBothNested ? mergeLevels(below, value) : value);
  }
  return Object.fromEntries(merged);
}

/** Nests texts whose keys have dots (`sign_in.title`), in linear time: tenants decide how many there are. */
export function nestTexts(texts: Iterable<readonly [key: string, text: string]>): Translations {
  const top: Level = new Map();
  for (const [key, text] of texts) put(top, key.split("."), text);
  return toTranslations(top);
}

/** Replaces texts by their full keys, in linear time; all others stay as they are. An empty text is left out. */
export function replaceTexts(
  before: Translations,
  texts: ReadonlyMap<string, string>,
  isReplaced: (key: string) => boolean,
): Translations {
  const top = toLevel(before, "", isReplaced);
  for (const [key, text] of texts) if (text !== "") put(top, key.split("."), text);
  return toTranslations(top);
}

// A map can be changed, and has no keys of its own, whatever tenants call theirs.
type Level = Map<string, string | Level>;

function put(top: Level, path: readonly string[], text: string): void {
  let level = top;
  for (const part of path.slice(0, -1)) {
    const found = level.get(part);
    const below: Level = found instanceof Map ? found : new Map();
    if (below !== found) level.set(part, below);
    level = below;
  }
  level.set(path.at(-1) ?? "", text);
}

function toLevel(translations: Translations, prefix: string, isLeftOut: (key: string) => boolean): Level {
  const level: Level = new Map();
  for (const [key, value] of Object.entries(translations)) {
    const path = prefix + key;
    if (typeof value === "string") {
      if (!isLeftOut(path)) level.set(key, value);
      continue;
    }
    const below = toLevel(value, `${path}.`, isLeftOut);
    if (below.size > 0) level.set(key, below);
  }
  return level;
}

const toTranslations = (level: Level): Translations =>
  Object.fromEntries(
    [...level].map(([key, value]) => [key, typeof value === "string" ? value : toTranslations(value)]),
  );

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
