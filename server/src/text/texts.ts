import type { Instant } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import type { Language } from "../base/language.ts";
import { type Catalogue, loadCatalogue } from "./catalogues.ts";
import { fill, type TextValues } from "./fill.ts";
import { languageNames } from "./language-names.ts";

/** Texts for people, in all languages. */
export interface Texts {
  /**
   * Returns the text of a key, with its placeholders filled. Numbers are written in the format of the language; strings
   * stay unchanged.
   */
  translate(language: Language, key: string, values?: TextValues): string;
  /** Fills the placeholders of a text that is not in a catalogue. */
  fill(language: Language, pattern: string, values?: TextValues): string;
  /** Returns the text of a key with its placeholders, for a renderer that fills them with markup. */
  pattern(language: Language, key: string): string;
  /** Returns every text of a language with its key, with placeholders. */
  all(language: Language): Iterable<readonly [key: string, text: string]>;
  /** Returns the sentence of a fault: `fault.<id>`, or the general text of its code. */
  explain(language: Language, fault: Fault): string;
  /** Formats date and time to the minute, with the zone; UTC unless the reader's zone is known. */
  formatInstant(language: Language, instant: Instant, timeZone?: string): string;
  /** Returns a language's own name, for lists of languages. */
  nameOf(language: Language): string;
}

/**
 * Creates the texts from the catalogues. Each language is read once in a process, on first use; English, the fallback
 * of the others, immediately.
 */
export function createTexts(load: (language: Language) => Catalogue = loadOwnCatalogue): Texts {
  const english = load("en");
  const others = keepPerLanguage(load);
  const catalogueOf = (language: Language): Catalogue => (language === "en" ? english : others(language));
  const find = (language: Language, key: string): string | undefined =>
    catalogueOf(language).get(key) ?? english.get(key);
  const pattern: Texts["pattern"] = (language, key) => find(language, key) ?? key;
  const number = keepPerLanguage((language) => new Intl.NumberFormat(language));
  const filled: Texts["fill"] = (language, text, values) =>
    values === undefined ? text : fill(text, values, () => number(language));

  return {
    translate: (language, key, values) => filled(language, pattern(language, key), values),
    fill: filled,
    pattern,
    all: catalogueOf,
    explain: (language, fault) =>
      fill(find(language, `fault.${fault.id}`) ?? pattern(language, `fault.code.${fault.code}`), fault.values, () =>
        number(language),
      ),
    formatInstant: (language, instant, timeZone = "UTC") => dateFormat(language, timeZone).format(instant),
    nameOf: (language) => languageNames[language],
  };
}

const loadOwnCatalogue = keepPerLanguage((language) => loadCatalogue(language));

const instantForm = {
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const mostDateFormats = 100;

// Creating one takes a millisecond or more, and a page may show dozens of times.
function dateFormat(language: Language, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = dateFormats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(language, { ...instantForm, timeZone });
  if (dateFormats.size >= mostDateFormats) dateFormats.clear();
  dateFormats.set(key, made);
  return made;
}

// Reading a catalogue takes milliseconds. Creating a formatter takes tens of microseconds, using it takes one.
function keepPerLanguage<T>(make: (language: Language) => T): (language: Language) => T {
  const kept = new Map<Language, T>();
  return (language) => {
    const known = kept.get(language);
    if (known !== undefined) return known;
    const made = make(language);
    kept.set(language, made);
    return made;
  };
}
