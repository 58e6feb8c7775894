import { Fault } from "../../base/fault.ts";
import { parseText } from "../../text/index.ts";
import type { Translations } from "./login-translation.ts";

/** Texts by their full keys (`sign_in.title`). */
export type FlatTexts = ReadonlyMap<string, string>;

/** Converts nested texts to texts by their full keys. */
export const flattenTexts = (translations: Translations): FlatTexts => new Map(entriesOf(translations, ""));

function entriesOf(level: Translations, prefix: string): (readonly [string, string])[] {
  return Object.entries(level).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value] as const] : entriesOf(value, `${prefix}${key}.`),
  );
}

// The longest texts of version 1 of the API. Every request of a page draws its texts, for everyone.
const longestText = 500;

/**
 * Refuses texts for our own pages that are too long or have a placeholder that the page does not fill, and texts with
 * control characters. Other logins use keys that our pages do not have, and know themselves what they fill.
 */
export function checkWords(translations: Translations, builtIn: Translations): void {
  const known = flattenTexts(builtIn);
  for (const [key, text] of flattenTexts(translations)) {
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

/** Returns the names of the placeholders of a text. */
export const placeholdersOf = (text: string): string[] =>
  parseText(text).flatMap((part) => ("placeholder" in part ? [part.placeholder] : []));
