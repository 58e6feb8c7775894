import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import { test } from "node:test";
import { deriveKey, parseMasterKey } from "../../src/base/master-key.ts";
import { createRotatingNonces } from "../../src/base/rotating-nonce.ts";

const key = (fill: number) => createSecretKey(Buffer.alloc(32, fill));
const lifetime = 300_000;
const start = 1_800_000_000_000;

test("a nonce is valid only for its purpose and its lifetime, on every node with the key", () => {
  const nonces = createRotatingNonces({ keys: [key(1)], lifetime });
  const node = createRotatingNonces({ keys: [key(1)], lifetime });
  const nonce = nonces.current("one", start);
  assert.equal(node.current("one", start + 149_999), nonce);
  assert.notEqual(nonces.current("one", start + 150_000), nonce);
  assert.notEqual(nonces.current("two", start), nonce);
  assert.equal(node.validUntil(nonce, "one", start + 299_999), start + 300_000);
  assert.equal(node.validUntil(nonce, "one", start + 300_000), undefined);
  assert.equal(node.validUntil(nonce, "one", start - 1), undefined, "it was not made yet");
  assert.equal(node.validUntil(nonce, "two", start), undefined);
});

test("a nonce that we did not issue is invalid", () => {
  const nonces = createRotatingNonces({ keys: [key(1)], lifetime });
  const nonce = nonces.current("one", start);
  const foreign = createRotatingNonces({ keys: [key(2)], lifetime }).current("one", start);
  for (const wrong of ["", "x", foreign, `${nonce}x`, nonce.slice(0, -1), nonce.toUpperCase(), "x".repeat(10_000)]) {
    assert.equal(nonces.validUntil(wrong, "one", start), undefined, wrong.slice(0, 30));
  }
});

test("nonces of a former master key are good while it is configured", () => {
  const before = createRotatingNonces({ keys: [key(1)], lifetime });
  const after = createRotatingNonces({ keys: [key(2), key(1)], lifetime });
  assert.ok(after.validUntil(before.current("one", start), "one", start));
  assert.equal(before.validUntil(after.current("one", start), "one", start), undefined);
});

test("keys for different purposes have nothing to do with each other", () => {
  const master = parseMasterKey(Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"));
  const texts = ["dpop nonce", "other"].map((purpose) => deriveKey(master, purpose).export().toString("hex"));
  assert.notEqual(texts[0], texts[1]);
  assert.equal(texts[0], deriveKey(master, "dpop nonce").export().toString("hex"));
  assert.notEqual(texts[0], master.key.export().toString("hex"));
});
