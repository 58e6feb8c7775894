import assert from "node:assert/strict";
import { test } from "node:test";
import { findFailedPasswordRules, type PasswordRequirements } from "../../src/base/password/password-rules.ts";

const none: PasswordRequirements = {
  minLength: 0,
  hasUppercase: false,
  hasLowercase: false,
  hasNumber: false,
  hasSymbol: false,
};

test("each rule fails exactly when it is on and its kind of character is missing", () => {
  const kinds = {
    uppercase: { setting: "hasUppercase", examples: ["A", "Ä", "Ж", "Σ"] },
    lowercase: { setting: "hasLowercase", examples: ["a", "ß", "ж", "σ"] },
    number: { setting: "hasNumber", examples: ["0", "9", "٣", "७"] },
    symbol: {
      setting: "hasSymbol",
      examples: ["!", " ", "€", "🔑", "_", "ー".normalize("NFKC") === "ー" ? "、" : "-"],
    },
  } as const;
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  for (let present = 0; present < 16; present++) {
    for (let wanted = 0; wanted < 16; wanted++) {
      for (let example = 0; example < 4; example++) {
        const has = (name: keyof typeof kinds, mask: number): boolean => (mask & (1 << names.indexOf(name))) !== 0;
        const password = names
          .filter((name) => has(name, present))
          .map((name) => kinds[name].examples[example])
          .join("");
        const requirements = Object.fromEntries(names.map((name) => [kinds[name].setting, has(name, wanted)]));
        const failed = names.filter((name) => has(name, wanted) && !has(name, present));
        assert.deepEqual(findFailedPasswordRules(password, { ...none, ...requirements }), failed);
      }
    }
  }
});

test("length counts code points of the NFC form: 15 emoji are 15", () => {
  const lengths = [
    ["🔑".repeat(15), 15],
    ["e\u0301".repeat(12), 12],
    ["abc", 3],
    ["", 0],
    ["각".normalize("NFD"), 1],
  ] as const;
  for (const [password, length] of lengths) {
    assert.deepEqual(findFailedPasswordRules(password, { ...none, minLength: length }), []);
    assert.deepEqual(findFailedPasswordRules(password, { ...none, minLength: length + 1 }), ["min_length"]);
  }
});

test("up to 1,000 code points are accepted, and more are refused with a specific error", () => {
  for (const length of [64, 128, 1000]) {
    assert.deepEqual(findFailedPasswordRules("🔑".repeat(length), { ...none, minLength: 12 }), []);
  }
  assert.deepEqual(findFailedPasswordRules("x".repeat(1001), none), ["max_length"]);
});

test("every failed rule is told at once, in the order of the settings", () => {
  const all = { minLength: 8, hasUppercase: true, hasLowercase: true, hasNumber: true, hasSymbol: true };
  assert.deepEqual(findFailedPasswordRules("", all), ["min_length", "uppercase", "lowercase", "number", "symbol"]);
  assert.deepEqual(findFailedPasswordRules("Passw0rd!", all), []);
});
