import { readdirSync, readFileSync } from "node:fs";
import { isRecord, parseJson } from "../base/json.ts";
import type { Language } from "../base/language.ts";

/** The texts of one language: key → sentence with `{name}` placeholders. */
export type Catalogue = ReadonlyMap<string, string>;

const home = new URL("../../texts/", import.meta.url);
// The texts of messages are read separately, because their placeholders are those of the interface.
const messageArea = "messages.json";

/**
 * Reads `<directory>/<language>/<area>.json`, all areas except the texts of messages. Throws when a file is not a flat
 * object or a key is defined twice.
 */
export function loadCatalogue(language: Language, directory: URL = home): Catalogue {
  const folder = new URL(`${language}/`, directory);
  const catalogue = new Map<string, string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json") && name !== messageArea)) {
    for (const [key, text] of readArea(new URL(file, folder))) {
      if (catalogue.has(key))
        throw new Error(`${folder.pathname}${file}: the text ${key} is defined in another area too`);
      catalogue.set(key, text);
    }
  }
  return catalogue;
}

/** Reads the texts of messages in a language: `<directory>/<language>/messages.json`. Throws like `loadCatalogue`. */
export const loadMessageCatalogue = (language: Language, directory: URL = home): Catalogue =>
  new Map(readArea(new URL(`${language}/${messageArea}`, directory)));

function readArea(file: URL): [string, string][] {
  const area = parseJson(readFileSync(file, "utf8"));
  if (!isRecord(area)) throw new Error(`${file.pathname}: not an object of key and text`);
  return Object.entries(area).map(([key, text]) => {
    if (typeof text !== "string") throw new Error(`${file.pathname}: the text ${key} is not a string`);
    return [key, text];
  });
}
