import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { decodeBase64Url, encodeBase64Url, isBase64Url } from "../../src/base/base64url.ts";

test("every byte string has exactly one spelling", () => {
  for (let size = 0; size < 100; size++) {
    const bytes = randomBytes(size);
    const text = encodeBase64Url(bytes);
    assert.deepEqual(decodeBase64Url(text), bytes);
    for (const other of [
      `${text}=`,
      `${text}==`,
      ` ${text}`,
      `${text}\n`,
      `${text.slice(0, 1)}\n${text.slice(1)}`,
      `${text}!`,
    ]) {
      assert.equal(decodeBase64Url(other), undefined);
    }
  }
});

test("what Node's decoder would read as the same bytes is refused unless it is the canonical spelling", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const start of ["", "A", "AB", "abcd", "abcde", "abcdefg"]) {
    for (const character of `${alphabet}+/=. \u0000ÿ`) {
      const text = start + character;
      assert.equal(isBase64Url(text), Buffer.from(text, "base64url").toString("base64url") === text, text);
    }
  }
});
