import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import {
  createBuiltInTexts,
  messageTextKinds,
  ownMessageTextKinds,
  parseMessage,
  placeholdersOf,
} from "../../src/domain/message-text/index.ts";
import { loadMessageCatalogue } from "../../src/text/index.ts";

// What reaches people who may not have asked for it, and asks nothing of them.
const unasked: ReadonlySet<string> = new Set(["account_known", "appointment_offered"]);

const english = loadMessageCatalogue("en");
const placeholders = (words: string): string[] =>
  parseMessage(words)
    .flatMap((piece) => ("placeholder" in piece ? [piece.placeholder] : []))
    .sort();

test("we speak 22 languages", () => {
  assert.equal(new Set<string>(languages).size, 22);
});

for (const language of languages) {
  const catalogue = loadMessageCatalogue(language);

  test(`${language}: every text of a message is there, and no other, with the placeholders of the English one`, () => {
    assert.deepEqual([...catalogue.keys()], [...english.keys()]);
    for (const [key, words] of catalogue) {
      assert.deepEqual(placeholders(words), placeholders(english.get(key) ?? ""), key);
    }
  });

  test(`${language}: texts are plain, whole and translated`, () => {
    for (const [key, words] of catalogue) {
      assert.doesNotMatch(words, /[<>!！]|&[a-z]+;|^\s|\s$|^$/, key);
      assert.doesNotMatch(words.replaceAll(/\{\{\.[A-Za-z]+\}\}/g, ""), /[{}]/, key);
      // One text message is 160 characters, or 70 in scripts that GSM 03.38 does not have: three of them at most.
      if (key.endsWith(".sms")) assert.ok(words.length <= 160, key);
    }
    if (language === "en") return;
    const same = [...catalogue].filter(([key, words]) => words === english.get(key)).map(([key]) => key);
    assert.deepEqual(same, []);
  });

  test(`${language}: every kind has its words, and uses no placeholder that it does not have`, () => {
    const texts = createBuiltInTexts();
    for (const kind of messageTextKinds) {
      const names: readonly string[] = placeholdersOf(kind);
      const words = texts.get(language, kind);
      assert.notEqual(words.text, "", kind);
      for (const part of Object.values(words)) {
        for (const name of placeholders(part)) assert.ok(names.includes(name), `${kind} ${name}`);
      }
    }
    for (const kind of ownMessageTextKinds) {
      const { footerText, ...parts } = texts.get(language, kind);
      for (const [part, words] of Object.entries(parts)) assert.notEqual(words, "", part);
      // The footer says to ignore what one has not asked for: notices of changes must not.
      assert.equal(footerText !== "", unasked.has(kind), kind);
    }
    assert.deepEqual(placeholders(texts.passwordResetSms(language)), ["Code"]);
  });
}
