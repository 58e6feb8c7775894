import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const server = fileURLToPath(new URL("../../server/texts/", import.meta.url));
const folder = fileURLToPath(new URL("../../console/texts/", import.meta.url));
const areas = readdirSync(`${folder}en`).sort();
const languages = readdirSync(server).sort();

type Texts = Readonly<Record<string, string>>;
const textsOf = (language: string, area: string): Texts =>
  JSON.parse(readFileSync(`${folder}${language}/${area}`, "utf8")) as Texts;
const placeholders = (text = ""): string => (text.match(/\{\w+\}/g) ?? []).sort().join(" ");

test("the console speaks every language of the pages, and each has every area", () => {
  assert.deepEqual(readdirSync(folder).sort(), languages);
  for (const language of languages) assert.deepEqual(readdirSync(`${folder}${language}`).sort(), areas, language);
});

test("every language of the console has every text with its placeholders, in order, as plain text", () => {
  const wrong: string[] = [];
  for (const area of areas) {
    const english = textsOf("en", area);
    const wanted = Object.keys(english);
    assert.deepEqual(wanted, [...wanted].sort(), area);
    for (const language of languages) {
      const texts = textsOf(language, area);
      const keys = Object.keys(texts);
      for (const key of wanted) if (texts[key] === undefined) wrong.push(`${language}/${area} lacks ${key}`);
      for (const key of keys) if (english[key] === undefined) wrong.push(`${language}/${area} has ${key} too much`);
      if (keys.join() !== [...keys].sort().join()) wrong.push(`${language}/${area} is not sorted`);
      for (const [key, text] of Object.entries(texts)) {
        if (placeholders(text) !== placeholders(english[key])) wrong.push(`${language} ${key}: placeholders`);
        if (/[<>!！]|^\s|\s$|^$|\p{L}'/u.test(text)) wrong.push(`${language} ${key}: ${text}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("a language of the console has words of its own", () => {
  for (const language of languages.filter((one) => one !== "en")) {
    const same: string[] = [];
    let count = 0;
    for (const area of areas) {
      const english = textsOf("en", area);
      for (const [key, text] of Object.entries(textsOf(language, area))) {
        count++;
        if (text === english[key] && /[a-z]{4}/.test(text.replace(/\{\w+\}/g, ""))) same.push(key);
      }
    }
    assert.ok(count > 0 && same.length < 0.06 * count, `${language}: ${same.join(", ")}`);
  }
});
