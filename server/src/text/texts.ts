import type { Instant } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import type { Language } from "../base/language.ts";
import { type Catalogue, loadCatalogue } from "./catalogues.ts";
import { fill, type TextValues } from "./fill.ts";

/** Speaks to people, in any of the languages. */
export interface Texts {
  /** The text of a key, with its placeholders filled. Numbers are written as the language does; a string stays as it is. */
  translate(language: Language, key: string, values?: TextValues): string;
  /** A text that is in no catalogue, with its placeholders filled like one that is. */
  fill(language: Language, pattern: string, values?: TextValues): string;
  /** The text of a key with its placeholders left in, for a renderer that fills them with markup. */
  pattern(language: Language, key: string): string;
  /** Every text of a language with its key, placeholders left in. */
  all(language: Language): Iterable<readonly [key: string, text: string]>;
  /** The sentence of a fault: `fault.<id>`, and where that has no text, what its code means in general. */
  explain(language: Language, fault: Fault): string;
  /** Date and time to the minute, with the zone; UTC unless the reader's zone is known. */
  formatInstant(language: Language, instant: Instant, timeZone?: string): string;
  /** A language's own name for itself, as a list of languages shows it. */
  nameOf(language: Language): string;
}

/** Texts from the catalogues. Each language is read once, when it is first needed; English, in which the others are missed, at once. */
export function createTexts(load: (language: Language) => Catalogue = loadCatalogue): Texts {
  const english = load("en");
  const others = keepPerLanguage(load);
  const catalogueOf = (language: Language): Catalogue => (language === "en" ? english : others(language));
  const find = (language: Language, key: string): string | undefined =>
    catalogueOf(language).get(key) ?? english.get(key);
  const pattern: Texts["pattern"] = (language, key) => find(language, key) ?? key;
  const number = keepPerLanguage((language) => new Intl.NumberFormat(language));
  const filled: Texts["fill"] = (language, text, values) =>
    values === undefined ? text : fill(text, values, number(language));
  // The name alone is kept: a list of languages asks for all of them, and what makes names is heavy.
  const name = keepPerLanguage(nameInItself);

  return {
    translate: (language, key, values) => filled(language, pattern(language, key), values),
    fill: filled,
    pattern,
    all: catalogueOf,
    explain: (language, fault) =>
      fill(
        find(language, `fault.${fault.id}`) ?? pattern(language, `fault.code.${fault.code}`),
        fault.values,
        number(language),
      ),
    formatInstant: (language, instant, timeZone = "UTC") =>
      new Intl.DateTimeFormat(language, { ...instantForm, timeZone }).format(instant),
    nameOf: name,
  };
}

const instantForm = {
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

// Many languages write their name small in a sentence; in a list it stands alone.
function nameInItself(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
  const [first = ""] = name;
  return first.toLocaleUpperCase(language) + name.slice(first.length);
}

// Reading a catalogue takes milliseconds. Making a formatter costs tens of microseconds, using one costs one.
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
