import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { isCommonPassword } from "../../src/base/password/common-password.ts";
import { isDoneWithin } from "../support/servers/cpu-time.ts";

const file = new URL("../../src/base/password/common-passwords.json", import.meta.url);
const words = (JSON.parse(readFileSync(file, "utf8")) as { words: string[] }).words.flatMap((line) => line.split(" "));

test("the list is compact, has thousands of entries and each of them once, of eight and more characters", () => {
  assert.ok(statSync(file).size <= 60_000);
  assert.ok(words.length > 3000);
  assert.equal(new Set(words).size, words.length);
  for (const word of words) assert.match(word, /^[^\sA-Z]{8,}$/);
});

test("every listed password is common, in any case and with up to five digits or marks around it", () => {
  for (const word of words) {
    for (const spelling of [word, word.toUpperCase(), ` ${word} `, (word[0] ?? "").toUpperCase() + word.slice(1)]) {
      assert.ok(isCommonPassword(spelling), spelling);
    }
    const endsInLetters = /^\p{L}.*\p{L}$/u.test(word);
    if (endsInLetters)
      for (const around of [`${word}1`, `${word}2026!`, `!${word}!`, `12${word}34`])
        assert.ok(isCommonPassword(around), around);
    if (endsInLetters) assert.equal(isCommonPassword(`${word}$84Qzk`), false);
  }
});

test("the passwords that are tried first are common", () => {
  const first = `password 12345678 123456789 1234567890 qwertyuiop 11111111 00000000 iloveyou sunshine princess football baseball
    superman trustno1 password1 qwerty123 1q2w3e4r 1qaz2wsx passw0rd P@ssw0rd Password1! Welcome1 Passwort1! abcd1234 qwertzuiop
    87654321 abcdefgh zyxwvuts aaaaaaaa abababab abcabcabc 12341234 a1b2c3d4 changeme administrator Sommer2024 Summer2026! letmein1
    correcthorsebatterystaple 01234567 78901234 98765432 32109876`;
  for (const password of first.trim().split(/\s+/)) assert.ok(isCommonPassword(password), password);
});

test("words of the context with few other characters are common", () => {
  const context = ["jane.doe@acme-rockets.example", "Jane", "Doe", "Acme Rockets", "Doorward"];
  for (const password of [
    "jane.doe@acme-rockets.example",
    "JaneDoe1",
    "jane2026",
    "acme-rockets",
    "Rockets!1",
    "doorward2026",
    "1Doorward!",
  ]) {
    assert.ok(isCommonPassword(password, context), password);
  }
  assert.equal(isCommonPassword("violet harbour 42", context), false);
  // Three letters are in too many words.
  assert.equal(isCommonPassword("doelk7QwX", context), false);
  assert.equal(isCommonPassword("jane likes violet harbours", context), false);
  assert.equal(isCommonPassword("jane2026"), false);
  assert.equal(isCommonPassword("xk7Qw9zL", ["", "@", "a", "..."]), false);
});

test("random passwords and long phrases are not common", () => {
  for (let round = 0; round < 5000; round++) {
    const password = randomBytes(9).toString("base64url");
    assert.equal(isCommonPassword(password, ["someone@example.com"]), false, password);
  }
  for (const password of ["violet harbour lamp post", "Tr0ub4dor&3", "mein Hund frisst gern Salat"]) {
    assert.equal(isCommonPassword(password), false, password);
  }
});

test("a hostile password is judged quickly", async () => {
  for (const piece of ["1", "a1", "!", "\u0301", "ﷺ"]) {
    const judge = () => isCommonPassword(`x${piece.repeat(100_000)}x`, [piece.repeat(10_000), "someone@example.com"]);
    assert.ok(await isDoneWithin(500, judge), piece);
  }
});
