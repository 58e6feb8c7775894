import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type AssertionRules,
  importPublicKey,
  type JwtRefusal,
  JwtRefused,
  maximumTokenLength,
  parseAssertion,
  toPublicPem,
  verifyAssertion,
} from "../../../src/base/jose/index.ts";
import { hostileClaims } from "../../support/hostile/hostile-claims.ts";
import { hostileForms } from "../../support/hostile/hostile-jose.ts";
import {
  type GoodToken,
  goodJwt,
  signedWith,
  type TestAlgorithm,
  testKeyPair,
} from "../../support/oidc/signed-jose.ts";
import { isDoneWithin } from "../../support/servers/cpu-time.ts";

const now = 1_800_000_000_000;
const issuer = "https://id.example.com";
const algorithms = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA"] as const;

function arrange(
  algorithm: TestAlgorithm = "ES256",
  changed: Partial<AssertionRules> = {},
): { good: GoodToken; rules: AssertionRules } {
  const pair = testKeyPair(algorithm);
  const good: GoodToken = {
    header: { alg: algorithm, kid: "key-1" },
    claims: { iss: "client-1", sub: "client-1", aud: issuer, iat: now / 1000, exp: now / 1000 + 300, jti: "once" },
    ...pair,
  };
  const rules: AssertionRules = {
    keys: [{ ...importPublicKey(toPublicPem(pair.publicKey)), keyId: "key-1" }],
    algorithms,
    audience: issuer,
    issuer: "client-1",
    subject: "client-1",
    types: ["jwt", "client-authentication+jwt"],
    now,
    clockSkewSeconds: 10,
    maxAgeSeconds: 3600,
    required: [],
    ...changed,
  };
  return { good, rules };
}

const isRefused = (reason: JwtRefusal) => (error: unknown) => error instanceof JwtRefused && error.reason === reason;

for (const algorithm of algorithms) {
  test(`an assertion signed with ${algorithm} is proven, and named for the refusal of a second use`, async () => {
    const { good, rules } = arrange(algorithm);
    const verified = await verifyAssertion(goodJwt(good), rules);
    assert.deepEqual(verified.claims, good.claims);
    assert.equal(verified.keyId, "key-1");
    assert.equal(verified.expiresAt, now + 310_000);
    assert.equal((await verifyAssertion(parseAssertion(goodJwt(good)), rules)).replayKey, verified.replayKey);
  });
}

describe("the hostile corpus is refused, each within 50 ms", () => {
  for (const algorithm of ["RS256", "ES256", "EdDSA"] as const) {
    const { good, rules } = arrange(algorithm);
    const corpus = [...hostileForms(good), ...hostileClaims(good, rules)];
    test(`${algorithm}: ${corpus.length} tokens`, async () => {
      assert.ok(corpus.length > 250);
      assert.equal(new Set(corpus.map(({ name }) => name)).size, corpus.length);
      await verifyAssertion(goodJwt(good), rules);
      for (const { name, token } of corpus) {
        const refuse = () => assert.rejects(verifyAssertion(token, rules), JwtRefused, name);
        assert.ok(await isDoneWithin(50, refuse), name);
      }
    });
  }
});

test("each kind of refusal has its reason", async () => {
  const { good, rules } = arrange();
  const past = now / 1000 - 4000;
  const cases: [JwtRefusal, string, Partial<AssertionRules>?][] = [
    ["too_long", "a".repeat(maximumTokenLength + 1)],
    ["not_compact", "a.b"],
    ["not_canonical", "a.bb.cc"],
    ["header_malformed", signedWith(good, { alg: undefined })],
    ["header_forbidden", signedWith(good, { crit: ["x"] })],
    ["payload_malformed", signedWith(good, {}, { exp: "soon" })],
    ["key_unknown", signedWith(good, { kid: "other" })],
    ["algorithm", signedWith(good, { alg: "ES384" })],
    ["algorithm", goodJwt(good), { algorithms: ["RS256"] }],
    ["type", signedWith(good, { typ: "at+jwt" })],
    ["signature", goodJwt(arrange().good)],
    ["issuer", goodJwt(good), { issuer: "client-2" }],
    ["subject", goodJwt(good), { subject: "client-2" }],
    ["audience", goodJwt(good), { audience: "https://other.example" }],
    ["expiry_missing", signedWith(good, {}, { exp: undefined })],
    ["expired", signedWith(good, {}, { exp: now / 1000 - 10 })],
    ["not_yet_valid", signedWith(good, {}, { nbf: now / 1000 + 11 })],
    ["issued_at_missing", signedWith(good, {}, { iat: undefined }), { required: ["iat"] }],
    ["issued_in_future", signedWith(good, {}, { iat: now / 1000 + 11 })],
    ["too_old", signedWith(good, {}, { iat: past })],
    ["lives_too_long", signedWith(good, {}, { iat: undefined, exp: now / 1000 + 4000 })],
    ["token_id_missing", signedWith(good, {}, { jti: undefined }), { required: ["jti"] }],
    ["token_id_malformed", signedWith(good, {}, { jti: 7 })],
  ];
  for (const [reason, token, changed = {}] of cases) {
    await assert.rejects(verifyAssertion(token, { ...rules, ...changed }), isRefused(reason), reason);
  }
});

test("what RFC 7523 leaves to the sender is accepted", async () => {
  const { good, rules } = arrange();
  const accepted = [
    signedWith(good, {}, { aud: [issuer] }),
    signedWith(good, {}, { iat: undefined }),
    signedWith(good, {}, { jti: undefined }),
    signedWith(good, {}, { nbf: now / 1000 }),
    signedWith(good, {}, { exp: now / 1000 + 0.5, iat: now / 1000 - 0.5 }),
    signedWith(good, {}, { exp: now / 1000 + 365 * 86_400 }),
    signedWith(good, {}, { custom: { deep: [1, { a: ":" }] }, "with:colon": "{:}" }),
    signedWith(good, { typ: "JWT" }),
    signedWith(good, { typ: "application/jwt" }),
    signedWith(good, { typ: "client-authentication+jwt" }),
    signedWith(good, { kid: undefined }),
    signedWith(good, { unknown: "ignored" }),
  ];
  for (const token of accepted) await verifyAssertion(token, rules);
});

test("time is judged to the skew on both sides, exactly", async () => {
  const { good, rules } = arrange();
  const at = (seconds: number): Partial<AssertionRules> => ({ now: now + seconds * 1000 });
  const cases = [
    { claims: { exp: now / 1000 }, alive: [-5, 0, 9.999], dead: [10, 11, 1e6] },
    { claims: { nbf: now / 1000 }, alive: [-10, 0, 200], dead: [-10.001, -11, -1e6] },
    { claims: { iat: now / 1000, exp: now / 1000 + 9e6 }, alive: [-10, 0, 3609.999], dead: [-10.001, 3610, 1e6] },
    { claims: { iat: undefined, exp: now / 1000 + 3600 }, alive: [-10, 0, 3609.999], dead: [-10.001, 3610] },
  ];
  for (const { claims, alive, dead } of cases) {
    const token = signedWith(good, {}, { iat: undefined, ...claims });
    for (const seconds of alive) {
      const { expiresAt } = await verifyAssertion(token, { ...rules, ...at(seconds) });
      // From then on it is refused for its age, so its name may be forgotten.
      await assert.rejects(verifyAssertion(token, { ...rules, now: expiresAt }), JwtRefused);
    }
    for (const seconds of dead)
      await assert.rejects(verifyAssertion(token, { ...rules, ...at(seconds) }), JwtRefused, `${seconds}`);
  }
});

test("without kid there must be one key; with it, the key of that name and no other", async () => {
  const { good, rules } = arrange();
  const other = { ...importPublicKey(toPublicPem(testKeyPair("ES256").publicKey)), keyId: "key-2" };
  const both = { ...rules, keys: [other, ...rules.keys] };
  await verifyAssertion(goodJwt(good), both);
  await assert.rejects(verifyAssertion(signedWith(good, { kid: undefined }), both), isRefused("key_unknown"));
  await assert.rejects(verifyAssertion(signedWith(good, { kid: "key-2" }), both), isRefused("signature"));
  await assert.rejects(verifyAssertion(goodJwt(good), { ...rules, keys: [] }), isRefused("key_unknown"));
  // Two keys of one name are a choice too.
  await assert.rejects(
    verifyAssertion(goodJwt(good), { ...rules, keys: [...rules.keys, ...rules.keys] }),
    isRefused("key_unknown"),
  );
});

test("a rewritten ECDSA signature does not make an assertion a new one; without jti there is nothing to tell (Z1)", async () => {
  const { good, rules } = arrange("ES256");
  assert.equal((await verifyAssertion(signedWith(good, {}, { jti: undefined }), rules)).replayKey, undefined);
  const token = signedWith(good, {}, { jti: "j-1" });
  const first = await verifyAssertion(token, rules);
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const signature = Buffer.from(token.split(".")[2] ?? "", "base64url");
  const s = order - BigInt(`0x${signature.subarray(32).toString("hex")}`);
  const rewritten = Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, "0"), "hex")]);
  const second = await verifyAssertion(
    [...token.split(".").slice(0, 2), rewritten.toString("base64url")].join("."),
    rules,
  );
  assert.equal(second.replayKey, first.replayKey);
  assert.notEqual((await verifyAssertion(signedWith(good, {}, { jti: "j-2" }), rules)).replayKey, first.replayKey);
});

test("the same valid assertion is proven a hundred times in a row", async () => {
  const { good, rules } = arrange();
  const token = goodJwt(good);
  for (let round = 0; round < 100; round++) await verifyAssertion(token, rules);
});
