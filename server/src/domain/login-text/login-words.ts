import { Fault } from "../../base/fault.ts";
import { parseText } from "../../text/index.ts";
import { entriesOf, type Translations } from "./login-translation.ts";

/** Texts by their full keys (`sign_in.title`). */
export type FlatTexts = ReadonlyMap<string, string>;

/** Converts nested texts to texts by their full keys. */
export const flattenTexts = (translations: Translations): FlatTexts => new Map(entriesOf(translations));

// The longest texts of version 1 of the API. Every request of a page draws its texts, for everyone.
const longestText = 500;

/**
 * Refuses texts for our own pages (`known`) that are too long or have a placeholder that the page does not fill, and
 * texts with control characters. Other logins use keys that our pages do not have, and know themselves what they fill.
 */
export function checkWords(translations: Translations, known: FlatTexts): void {
  for (const [key, text] of entriesOf(translations)) {
    if (controls.test(text)) {
      throw new Fault("invalid_argument", "settings.translation_invalid", { field: "translations" });
    }
    const pattern = known.get(key);
    if (pattern === undefined) continue;
    if (text.length > longestText && [...text].length > longestText) {
      const values = { field: key, maximum: longestText };
      throw new Fault("invalid_argument", "field.too_long", { field: "translations", values });
    }
    const fillable = placeholdersOf(pattern);
    const foreign = placeholdersOf(text).find((placeholder) => !fillable.includes(placeholder));
    if (foreign === undefined) continue;
    throw new Fault("invalid_argument", "settings.translation_placeholder", {
      field: "translations",
      values: { key, placeholder: `{${foreign}}` },
    });
  }
}

// Line breaks and tabs are text, and so are joiners that some scripts need.
const controls = /[^\P{Cc}\n\r\t]/u;

// Four times what can be set now: there was no limit once, and sentences that were stored then are shown.
const longestShown = 2_000;

/** Whether our pages show a stored text. What was stored before it was checked can be of any length. */
export const isShown = (text: string): boolean => text.length <= longestShown && !controls.test(text);

/** Returns the names of the placeholders of a text. */
export const placeholdersOf = (text: string): string[] =>
  parseText(text).flatMap((part) => ("placeholder" in part ? [part.placeholder] : []));
