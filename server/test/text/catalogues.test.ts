import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { languages } from "../../src/base/language.ts";
import { loadCatalogue, parseText } from "../../src/text/index.ts";

const english = loadCatalogue("en");
const catalogues = languages.map((language) => [language, loadCatalogue(language)] as const);
const source = fileURLToPath(new URL("../../src/", import.meta.url));
const folders = fileURLToPath(new URL("../../texts/", import.meta.url));
const areasOf = (language: string): string[] => readdirSync(`${folders}${language}`).sort();

test("every folder of texts is a language, and has every area", () => {
  assert.deepEqual(readdirSync(folders).sort(), [...languages]);
  const areas = areasOf("en");
  for (const language of languages) assert.deepEqual(areasOf(language), areas, language);
});

test("every language has every text in the same area, and none that English lacks", () => {
  const wrong: string[] = [];
  for (const area of areasOf("en")) {
    const wanted = keysOf("en", area);
    for (const language of languages) {
      const keys = keysOf(language, area);
      for (const key of wanted.difference(keys)) wrong.push(`${language}/${area} lacks ${key}`);
      for (const key of keys.difference(wanted)) wrong.push(`${language}/${area} has ${key} too much`);
    }
  }
  assert.ok(english.size > 0);
  assert.deepEqual(wrong, []);
});

test("a text has the same placeholders in every language", () => {
  const wrong: string[] = [];
  for (const [language, catalogue] of catalogues) {
    for (const [key, text] of catalogue) {
      const own = placeholders(text);
      const wanted = placeholders(english.get(key) ?? "");
      if (own !== wanted) wrong.push(`${language} ${key}: ${own} instead of ${wanted}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("texts are plain: no markup, no exclamation marks, no typewriter apostrophes, no space at the ends", () => {
  for (const [language, catalogue] of catalogues) {
    for (const [key, text] of catalogue) {
      assert.doesNotMatch(text, /\p{L}'/u, `${language} ${key}`);
      assert.doesNotMatch(text, /[<>!！]|&[a-z]+;|^\s|\s$|^$/, `${language} ${key}`);
    }
  }
});

test("a language has words of its own: few texts are those of English", () => {
  for (const [language, catalogue] of catalogues) {
    if (language === "en") continue;
    const same = [...catalogue].filter(([key, text]) => text === english.get(key)).map(([key]) => key);
    assert.ok(same.length < 30, `${language}: ${same.join(", ")}`);
  }
});

test("every fault that the source throws has its sentence", () => {
  const missing: string[] = [];
  let seen = 0;
  for (const file of globSync("**/*.ts", { cwd: source })) {
    const text = readFileSync(source + file, "utf8");
    for (const [, id = ""] of text.matchAll(/(?:new Fault\(\s*"[a-z_]+",\s*|\b(?:absent|slug):\s*)"([^"]+)"(?! \|)/g)) {
      seen++;
      if (!english.has(`fault.${id}`)) missing.push(`${file}: fault.${id}`);
    }
  }
  assert.ok(seen > 0, "the search found no fault at all");
  assert.deepEqual(missing, []);
});

function keysOf(language: string, area: string): Set<string> {
  return new Set(Object.keys(JSON.parse(readFileSync(`${folders}${language}/${area}`, "utf8")) as object));
}

function placeholders(text: string): string {
  const names = parseText(text).flatMap((part) => ("placeholder" in part ? [part.placeholder] : []));
  return names.sort().join(" ");
}
