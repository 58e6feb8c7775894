import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Fault } from "../../src/base/fault.ts";
import { type Language, languages } from "../../src/base/language.ts";
import { type Catalogue, createTexts, directionOf, loadCatalogue } from "../../src/text/index.ts";

const written: Partial<Record<Language, Catalogue>> = {
  en: new Map([
    ["greeting", "Hello {name}"],
    ["count", "{count} users"],
    ["only", "Only English"],
    ["fault.user.not_found", "User {user} does not exist."],
    ["fault.code.internal", "Our mistake."],
  ]),
  de: new Map([
    ["greeting", "Hallo {name}"],
    ["count", "{count} Personen"],
  ]),
};
const texts = createTexts((language) => written[language] ?? new Map());

test("a text is given in the language asked for, with its values", () => {
  assert.equal(texts.translate("de", "greeting", { name: "Ada" }), "Hallo Ada");
  assert.equal(texts.translate("en", "greeting", { name: "Ada" }), "Hello Ada");
});

test("a key that the language lacks is answered in English, an unknown key as itself", () => {
  assert.equal(texts.translate("de", "only"), "Only English");
  assert.equal(texts.translate("de", "no.such.key"), "no.such.key");
});

test("values are inserted once, as they are: no markup, no placeholder and no replacement pattern in them is read", () => {
  for (const name of ["<b>", "{name}", "$&", "$1", "{count}"]) {
    assert.equal(texts.translate("en", "greeting", { name }), `Hello ${name}`);
  }
});

test("a placeholder without a value stays visible, even when it is named like a member of every object", () => {
  assert.equal(texts.translate("en", "greeting", {}), "Hello {name}");
  assert.equal(createTexts(() => new Map([["k", "{constructor}"]])).translate("en", "k", {}), "{constructor}");
});

test("numbers are written as the language does", () => {
  assert.equal(texts.translate("en", "count", { count: 12_345 }), "12,345 users");
  assert.equal(texts.translate("de", "count", { count: 12_345 }), "12.345 Personen");
});

test("instants are written as the language does, with their zone", () => {
  const instant = Date.UTC(2026, 10, 21, 14, 5);
  assert.match(texts.formatInstant("en", instant), /^November 21, 2026.* 2:05 PM UTC$/);
  assert.match(texts.formatInstant("de", instant, "Europe/Berlin"), /^21\. November 2026.* 15:05 MEZ$/);
});

test("English is read at once, every other language when it is first asked for, and no more than once", () => {
  const asked: Language[] = [];
  const lazy = createTexts((language) => {
    asked.push(language);
    return new Map([["k", language]]);
  });
  assert.deepEqual(asked, ["en"]);
  for (const language of ["de", "en", "de"] as const) assert.equal(lazy.translate(language, "k"), language);
  lazy.nameOf("de");
  lazy.formatInstant("de", 0);
  assert.deepEqual(asked, ["en", "de"]);
});

test("a fault is explained by its own text, otherwise by what its code means", () => {
  const known = new Fault("not_found", "user.not_found", { values: { user: "ada" } });
  assert.equal(texts.explain("de", known), "User ada does not exist.");
  assert.equal(texts.explain("en", new Fault("internal", "something.new")), "Our mistake.");
});

test("languages name themselves, and know their direction", () => {
  assert.equal(texts.nameOf("de"), "Deutsch");
  for (const language of languages) {
    // Many languages write their name small in a sentence; in a list it stands alone.
    const name = new Intl.DisplayNames(language, { type: "language" }).of(language) ?? assert.fail(language);
    const [first = ""] = name;
    assert.equal(texts.nameOf(language), first.toLocaleUpperCase(language) + name.slice(first.length));
  }
  assert.equal(directionOf("de-AT"), "ltr");
  assert.equal(directionOf("ar-EG"), "rtl");
});

test("a key that two areas define is refused, and so is a file that is not flat", (t) => {
  const folder = temporaryCatalogues(t, { "a.json": '{"k":"1"}', "b.json": '{"k":"2"}' });
  assert.throws(() => loadCatalogue("de", folder), /the text k is defined in another area too/);
  assert.throws(() => loadCatalogue("en", temporaryCatalogues(t, { "a.json": '{"k":{}}' })), /k is not a string/);
});

function temporaryCatalogues(t: TestContext, files: Record<string, string>): URL {
  const root = mkdtempSync(join(tmpdir(), "texts-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const language of languages) {
    mkdirSync(join(root, language));
    for (const [name, body] of Object.entries(files)) writeFileSync(join(root, language, name), body);
  }
  return pathToFileURL(`${root}/`);
}
