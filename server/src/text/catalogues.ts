import { readdirSync, readFileSync } from "node:fs";
import { isRecord, parseJson } from "../base/json.ts";
import { type Language, languages } from "../base/language.ts";

/** The texts of one language: key → sentence with `{name}` placeholders. */
export type Catalogue = ReadonlyMap<string, string>;
export type Catalogues = Readonly<Record<Language, Catalogue>>;

const home = new URL("../../texts/", import.meta.url);

/** Reads `<directory>/<language>/<area>.json` of every language. Throws when a file is no flat object or a key is defined twice. */
export function loadCatalogues(directory: URL = home): Catalogues {
  const entries = languages.map((language) => [language, loadLanguage(new URL(`${language}/`, directory))] as const);
  return Object.fromEntries(entries) as Record<Language, Catalogue>;
}

function loadLanguage(folder: URL): Catalogue {
  const catalogue = new Map<string, string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    for (const [key, text] of readArea(new URL(file, folder))) {
      if (catalogue.has(key))
        throw new Error(`${folder.pathname}${file}: the text ${key} is defined in another area too`);
      catalogue.set(key, text);
    }
  }
  return catalogue;
}

function readArea(file: URL): [string, string][] {
  const area = parseJson(readFileSync(file, "utf8"));
  if (!isRecord(area)) throw new Error(`${file.pathname}: not an object of key and text`);
  return Object.entries(area).map(([key, text]) => {
    if (typeof text !== "string") throw new Error(`${file.pathname}: the text ${key} is not a string`);
    return [key, text];
  });
}
