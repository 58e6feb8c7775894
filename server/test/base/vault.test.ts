import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { inspect } from "node:util";
import { generateMasterKey, MasterKeyError, parseMasterKey } from "../../src/base/master-key.ts";
import { systemRandom } from "../../src/base/random.ts";
import { Secret } from "../../src/base/secret.ts";
import { createVault, VaultError } from "../../src/base/vault.ts";

const newKey = () => parseMasterKey(generateMasterKey(systemRandom));
const context = "email_providers/1/2/password";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const isRefused = (reason: string) => (error: unknown) => error instanceof VaultError && error.reason === reason;

test("what was encrypted comes back, whatever it is", () => {
  const vault = createVault({ writing: newKey(), random: systemRandom });
  const secrets = ["", "a", "päss\u0000wörd", "🔑".repeat(100), randomBytes(5000).toString("base64")];
  for (let size = 1; size < 40; size++) secrets.push("x".repeat(size));
  for (const secret of secrets) {
    assert.equal(vault.decrypt(vault.encrypt(secret, context), context).reveal(), secret);
    assert.equal(vault.decrypt(vault.encrypt(new Secret(secret), context), context).reveal(), secret);
  }
});

test("the same secret never looks the same twice, and a decrypted secret does not print", () => {
  const vault = createVault({ writing: newKey(), random: systemRandom });
  const values = new Set(Array.from({ length: 1000 }, () => vault.encrypt("same", context)));
  assert.equal(values.size, 1000);
  assert.doesNotMatch(inspect(vault.decrypt(vault.encrypt("canary-4711", context), context)), /canary/);
});

test("every flipped bit of the bytes is refused", () => {
  const vault = createVault({ writing: newKey(), random: systemRandom });
  const [version, keyId, iv = "", ciphertext = ""] = vault.encrypt("a secret of some length", context).split(".");
  for (const [part, rebuild] of [
    [iv, (changed: string) => [version, keyId, changed, ciphertext].join(".")],
    [ciphertext, (changed: string) => [version, keyId, iv, changed].join(".")],
  ] as const) {
    const bytes = Buffer.from(part, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.throws(() => vault.decrypt(rebuild(flipped.toString("base64url")), context), isRefused("altered"));
    }
  }
});

test("every exchanged, added or missing character is refused", () => {
  const vault = createVault({ writing: newKey(), random: systemRandom });
  const value = vault.encrypt("a secret", context);
  let tried = 0;
  for (let index = 0; index < value.length; index++) {
    for (const character of `${alphabet}. =+/\n\u0000é`) {
      if (value[index] === character) continue;
      const exchanged = value.slice(0, index) + character + value.slice(index + 1);
      assert.throws(() => vault.decrypt(exchanged, context), VaultError, `${index} ${character}`);
      tried++;
    }
    assert.throws(() => vault.decrypt(value.slice(0, index) + value.slice(index + 1), context), VaultError);
    assert.throws(() => vault.decrypt(value.slice(0, index), context), VaultError);
    assert.throws(() => vault.decrypt(`${value.slice(0, index)}A${value.slice(index)}`, context), VaultError);
  }
  for (const added of ["=", "\n", " ", ".", ".x", "A"]) {
    assert.throws(() => vault.decrypt(value + added, context), VaultError);
    assert.throws(() => vault.decrypt(added + value, context), VaultError);
  }
  assert.ok(tried > 4000);
});

test("a value cannot be moved to another context, and a value needs a context", () => {
  const vault = createVault({ writing: newKey(), random: systemRandom });
  const value = vault.encrypt("secret", "signing_keys/1/2/private_key");
  for (const other of [
    "signing_keys/1/3/private_key",
    "signing_keys/2/2/private_key",
    "signing_keys/1/2/private_ke",
    "x",
  ]) {
    assert.throws(() => vault.decrypt(value, other), isRefused("altered"));
  }
  assert.throws(() => vault.encrypt("secret", ""), TypeError);
  assert.throws(() => vault.decrypt(value, ""), TypeError);
});

test("former master keys decrypt, only the newest encrypts, and what is old says so", () => {
  const [first, second, third] = [newKey(), newKey(), newKey()];
  const old = createVault({ writing: first, random: systemRandom }).encrypt("secret", context);
  const vault = createVault({ writing: second, reading: [first], random: systemRandom });
  assert.equal(vault.decrypt(old, context).reveal(), "secret");
  assert.equal(vault.needsReencryption(old), true);
  const written = vault.encrypt(vault.decrypt(old, context), context);
  assert.equal(vault.needsReencryption(written), false);
  assert.ok(written.startsWith(`v1.${second.id}.`));
  const stranger = createVault({ writing: third, random: systemRandom });
  assert.throws(() => stranger.decrypt(old, context), isRefused("unknown_master_key"));
  // The id of a known key does not make another key's value readable.
  assert.throws(() => stranger.decrypt(old.replace(first.id, third.id), context), isRefused("altered"));
});

test("values of another form are refused as malformed", () => {
  const vault = createVault({ writing: newKey(), random: systemRandom });
  const value = vault.encrypt("secret", context);
  for (const other of [
    "",
    ".",
    "v1",
    "v1...",
    "v2" + value.slice(2),
    "plain text",
    "....",
    ".".repeat(100_000),
    `${value}.`,
  ]) {
    assert.throws(() => vault.decrypt(other, context), isRefused("malformed"));
  }
  assert.equal(vault.needsReencryption("plain text"), true);
});

test("a master key is 32 random bytes in base64; padded, unpadded and url-safe spellings are the same key", () => {
  const bytes = randomBytes(32);
  const spellings = [
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("base64").replace(/=+$/, ""),
    `${bytes.toString("base64")}\n`,
  ];
  assert.equal(new Set(spellings.map((text) => parseMasterKey(text).id)).size, 1);
  assert.equal(
    spellings.some((text) => text.includes(parseMasterKey(text).id)),
    false,
  );
});

test("a text that is not a master key is refused without being repeated", () => {
  const wrong = [
    "",
    "hunter2",
    "not base64 at all, but long enough for 32 bytes",
    randomBytes(16).toString("base64"),
    randomBytes(31).toString("base64"),
    randomBytes(33).toString("base64"),
    randomBytes(64).toString("base64"),
    randomBytes(32).toString("hex"),
    ...Array.from({ length: 256 }, (_, byte) => Buffer.alloc(32, byte).toString("base64")),
    Buffer.from("abababababababababababababababab").toString("base64"),
    `${randomBytes(32).toString("base64")}=`,
    `${randomBytes(32).toString("base64").slice(0, 20)}\n${randomBytes(17).toString("base64")}`,
  ];
  for (const text of wrong) {
    assert.throws(
      () => parseMasterKey(text),
      (error) => error instanceof MasterKeyError && (text.length < 4 || !error.message.includes(text)),
      text,
    );
  }
});
