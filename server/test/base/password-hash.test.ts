import assert from "node:assert/strict";
import { test } from "node:test";
import { hash as hashArgon2, parseOptions } from "@node-rs/argon2";
import { Fault } from "../../src/base/fault.ts";
import { createPasswordHasher } from "../../src/base/password/password-hash.ts";
import { systemRandom } from "../../src/base/random.ts";
import { cpuMilliseconds } from "../support/servers/cpu-time.ts";

const hasher = createPasswordHasher({ concurrency: 2, queueLimit: 1000, random: systemRandom });
const isFault = (id: string) => (error: unknown) => error instanceof Fault && error.id === id;

test("a password is hashed with Argon2id, 19 MiB, two passes, one lane and a salt of its own", async () => {
  const hashes = await Promise.all(Array.from({ length: 4 }, () => hasher.hash("correct horse")));
  assert.equal(new Set(hashes).size, 4);
  const { memoryCost, timeCost, parallelism, saltLen, outputLen } = parseOptions(hashes[0] ?? "");
  assert.match(hashes[0] ?? "", /^\$argon2id\$v=19\$/);
  assert.deepEqual(
    { memoryCost, timeCost, parallelism, saltLen, outputLen },
    {
      memoryCost: 19_456,
      timeCost: 2,
      parallelism: 1,
      saltLen: 16,
      outputLen: 32,
    },
  );
});

test("only the exact password matches: nothing is cut, trimmed or folded (NIST 800-63B)", async () => {
  const passwords = [
    "correct horse",
    "",
    " ",
    "p\u0000assword",
    "🔑".repeat(1000),
    "x".repeat(1000),
    "pässwörd",
    "пароль-密码-كلمة",
    "y".repeat(73),
  ];
  for (const password of passwords) {
    const stored = await hasher.hash(password);
    assert.deepEqual(await hasher.verify(password, stored), { matches: true, needsRehash: false });
    const others = [
      `${password} `,
      ` ${password}`,
      `${password}\u0000`,
      `${password.slice(0, -1)}~`,
      `${password.slice(0, 72)}!`,
    ];
    if (password.trim() !== "") others.push("", password.toUpperCase() === password ? "other" : password.toUpperCase());
    for (const other of others.filter((text) => text !== password)) {
      assert.equal((await hasher.verify(other, stored)).matches, false, JSON.stringify([password, other]));
    }
  }
});

test("composed and decomposed spellings are one password; compatibility forms are not (NFC, not NFKC)", async () => {
  const pairs = ["é", "ñandú", "한국어", "ǟ", "Å"].map(
    (text) => [text.normalize("NFC"), text.normalize("NFD")] as const,
  );
  for (const [composed, decomposed] of pairs) {
    assert.notEqual(composed, decomposed);
    assert.ok((await hasher.verify(decomposed, await hasher.hash(composed))).matches);
    assert.ok((await hasher.verify(composed, await hasher.hash(decomposed))).matches);
  }
  for (const [one, other] of [
    ["ﬁ", "fi"],
    ["①", "1"],
    ["ａ", "a"],
  ] as const) {
    assert.equal((await hasher.verify(other, await hasher.hash(one))).matches, false);
  }
});

test("what is too long or has no UTF-8 form is refused when set and matches nothing when checked", async () => {
  const stored = await hasher.hash("password");
  for (const tooLong of ["x".repeat(1001), "🔑".repeat(1001), "x".repeat(1_000_000), "e\u0301".repeat(1001)]) {
    await assert.rejects(hasher.hash(tooLong), isFault("password.too_long"));
    assert.equal((await hasher.verify(tooLong, stored)).matches, false);
  }
  // 2,000 units and 2,000 code points as typed, 1,000 in NFC.
  assert.ok((await hasher.verify("é".repeat(1000), await hasher.hash("e\u0301".repeat(1000)))).matches);
  for (const malformed of ["\ud800", "a\udc00b", "\ud83d".repeat(8)]) {
    await assert.rejects(hasher.hash(malformed), isFault("password.malformed"));
    assert.equal((await hasher.verify(malformed, await hasher.hash("\ufffd"))).matches, false);
  }
});

test("a hash of other cost matches and asks for a new one; a wrong password never asks", async () => {
  for (const cost of [{ memoryCost: 8192 }, { timeCost: 1 }, { parallelism: 2 }, { algorithm: 0 }, { algorithm: 1 }]) {
    const stored = await hashArgon2("password", { memoryCost: 19_456, timeCost: 2, parallelism: 1, ...cost });
    assert.deepEqual(await hasher.verify("password", stored), { matches: true, needsRehash: true });
    assert.deepEqual(await hasher.verify("Password", stored), { matches: false, needsRehash: false });
  }
});

test("beyond the queue a check is refused as busy, and the others are answered", async () => {
  const small = createPasswordHasher({ concurrency: 1, queueLimit: 3, random: systemRandom });
  const stored = await small.hash("password");
  const checks = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? small.verify("password", stored) : small.verifyDummy("password"),
  );
  assert.equal(small.waiting, 3);
  const results = await Promise.allSettled(checks);
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 4);
  for (const result of results) if (result.status === "rejected") assert.ok(isFault("password.busy")(result.reason));
  assert.ok((await small.verify("password", stored)).matches);
});

test("an unknown user costs what a known one costs, and matches nothing", async () => {
  const stored = await hasher.hash("password");
  const measure = async (check: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 15; round++) {
      times.push(await cpuMilliseconds(check));
    }
    return times.sort((left, right) => left - right)[7] ?? 0;
  };
  assert.deepEqual(await hasher.verifyDummy("password"), { matches: false, needsRehash: false });
  const known = await measure(() => hasher.verify("wrong", stored));
  for (const check of [
    () => hasher.verifyDummy("wrong"),
    () => hasher.verifyDummy("\ud800"),
    () => hasher.verify("x".repeat(5000), stored),
  ]) {
    const ratio = (await measure(check)) / known;
    assert.ok(ratio > 0.5 && ratio < 2, `${ratio}`);
  }
});
