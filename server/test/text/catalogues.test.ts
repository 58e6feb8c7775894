import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { languages, messageLanguages } from "../../src/base/language.ts";
import { loadCatalogues, parseText } from "../../src/text/index.ts";

const catalogues = loadCatalogues();
const source = fileURLToPath(new URL("../../src/", import.meta.url));
const folders = fileURLToPath(new URL("../../texts/", import.meta.url));

test("every folder of texts is a language; those of pages and errors have every area, the others the words of messages at least", () => {
  assert.deepEqual(readdirSync(folders).sort(), [...messageLanguages]);
  const complete: readonly string[] = languages;
  const areas = readdirSync(`${folders}en`).sort();
  for (const language of messageLanguages) {
    const written = readdirSync(`${folders}${language}`).sort();
    assert.ok(written.includes("messages.json"), language);
    // A language that is not spoken yet may have areas in advance, but none that English lacks.
    assert.deepEqual(written, complete.includes(language) ? areas : areas.filter((area) => written.includes(area)));
  }
});

test("every language has every text, and none that English lacks", () => {
  const english = [...catalogues.en.keys()].sort();
  assert.ok(english.length > 0);
  for (const language of languages) assert.deepEqual([...catalogues[language].keys()].sort(), english, language);
});

test("a text has the same placeholders in every language", () => {
  const placeholders = (text: string): string[] =>
    parseText(text)
      .flatMap((part) => ("placeholder" in part ? [part.placeholder] : []))
      .sort();
  for (const language of languages) {
    for (const [key, text] of catalogues[language]) {
      assert.deepEqual(placeholders(text), placeholders(catalogues.en.get(key) ?? ""), `${language} ${key}`);
    }
  }
});

test("texts are plain: no markup, no exclamation marks, no space at the ends", () => {
  for (const language of languages) {
    for (const [key, text] of catalogues[language]) {
      assert.doesNotMatch(text, /[<>!]|&[a-z]+;|^\s|\s$|^$/, `${language} ${key}`);
    }
  }
});

test("every fault that the source throws has its sentence", () => {
  const missing: string[] = [];
  let seen = 0;
  for (const file of globSync("**/*.ts", { cwd: source })) {
    const text = readFileSync(source + file, "utf8");
    for (const [, id = ""] of text.matchAll(/(?:new Fault\(\s*"[a-z_]+",\s*|\babsent:\s*)"([^"]+)"/g)) {
      seen++;
      if (!catalogues.en.has(`fault.${id}`)) missing.push(`${file}: fault.${id}`);
    }
  }
  assert.ok(seen > 0, "the search found no fault at all");
  assert.deepEqual(missing, []);
});
