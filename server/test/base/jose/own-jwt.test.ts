import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import {
  createSigningKey,
  createVerificationKey,
  type JwtRefusal,
  JwtRefused,
  type JwtType,
  type OwnJwtRules,
  signJwt,
  toPublicJwk,
  verifyOwnJwt,
} from "../../../src/base/jose/index.ts";
import { hostileForms } from "../../support/hostile/hostile-jose.ts";
import { goodJwt, signedWith, type TestAlgorithm, testKeyPair } from "../../support/oidc/signed-jose.ts";
import { isDoneWithin } from "../../support/servers/cpu-time.ts";

const now = 1_800_000_000_000;
const issuer = "https://id.example.com";
const claims = { iss: issuer, sub: "user-1", aud: ["client-1"], iat: now / 1000, exp: now / 1000 + 60, name: "Zoë 🔑" };
const algorithms = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA"] as const;
const types = ["JWT", "at+jwt", "logout+jwt", "userinfo+jwt"] as const;

function arrange(algorithm: TestAlgorithm, type: JwtType = "JWT") {
  const { privateKey, publicKey } = testKeyPair(algorithm);
  const verificationKey = createVerificationKey("key-1", algorithm, publicKey);
  const rules: OwnJwtRules = { keys: new Map([["key-1", verificationKey]]), type, issuer, aliveAt: now };
  const good = { header: { alg: algorithm, kid: "key-1", typ: type }, claims, privateKey, publicKey };
  return { key: createSigningKey("key-1", algorithm, privateKey), rules, good, publicKey };
}

const isRefused = (reason: JwtRefusal) => (error: unknown) => error instanceof JwtRefused && error.reason === reason;

for (const algorithm of algorithms) {
  test(`a token signed with ${algorithm} is read by us and by jose`, async () => {
    const { key, rules, publicKey } = arrange(algorithm);
    for (const type of types) {
      const token = await signJwt(key, type, claims);
      assert.deepEqual(verifyOwnJwt(token, { ...rules, type }), claims);
      const keySet = createLocalJWKSet({
        keys: [{ ...toPublicJwk(publicKey), kid: "key-1", alg: algorithm, use: "sig" }],
      });
      const read = await jwtVerify(token, keySet, {
        currentDate: new Date(now),
        issuer,
        audience: "client-1",
        typ: type,
      });
      assert.deepEqual(read.payload, claims);
      assert.deepEqual(read.protectedHeader, { alg: algorithm, typ: type, kid: "key-1" });
    }
  });
}

test("fast algorithms sign at once, slow ones in the thread pool", () => {
  for (const algorithm of algorithms) {
    const isAtOnce = typeof signJwt(arrange(algorithm).key, "JWT", claims) === "string";
    assert.equal(isAtOnce, algorithm === "ES256" || algorithm === "EdDSA", algorithm);
  }
});

describe("the hostile corpus is refused by the verifier of our own tokens, each within 50 ms", () => {
  for (const algorithm of ["RS256", "ES256", "EdDSA"] as const) {
    for (const type of types) {
      test(`${algorithm} ${type}`, async () => {
        const { good, rules } = arrange(algorithm, type);
        assert.deepEqual(verifyOwnJwt(goodJwt(good), rules), claims);
        const extra = [
          { name: "no kid", token: signedWith(good, { kid: undefined }) },
          { name: "no typ", token: signedWith(good, { typ: undefined }) },
        ];
        for (const { name, token } of [...hostileForms(good), ...extra]) {
          const refuse = () => assert.throws(() => verifyOwnJwt(token, rules), JwtRefused, name);
          assert.ok(await isDoneWithin(50, refuse), name);
        }
      });
    }
  }
});

test("no token of ours stands in for another", async () => {
  const { key, rules } = arrange("ES256");
  for (const signed of types) {
    for (const expected of types) {
      const token = await signJwt(key, signed, claims);
      if (signed === expected) verifyOwnJwt(token, { ...rules, type: expected });
      else assert.throws(() => verifyOwnJwt(token, { ...rules, type: expected }), isRefused("type"));
    }
  }
});

test("tokens of another issuer, without expiry or expired are refused; an expired hint is accepted", () => {
  const { good, rules } = arrange("ES256");
  for (const iss of [undefined, "", "https://other.example", `${issuer}/`, [issuer], 1]) {
    assert.throws(() => verifyOwnJwt(signedWith(good, {}, { iss }), rules), isRefused("issuer"));
  }
  for (const exp of [undefined, null, "9999999999", [9_999_999_999], true]) {
    assert.throws(() => verifyOwnJwt(signedWith(good, {}, { exp }), rules), isRefused("expiry_missing"));
  }
  for (const exp of [now / 1000, now / 1000 - 1, 0, -1]) {
    assert.throws(() => verifyOwnJwt(signedWith(good, {}, { exp }), rules), isRefused("expired"));
    assert.equal(verifyOwnJwt(signedWith(good, {}, { exp }), { ...rules, aliveAt: "expired is fine" }).exp, exp);
  }
});

test("a key that is not one for the algorithm makes neither a signing nor a verification key", () => {
  for (const algorithm of algorithms) {
    for (const other of algorithms) {
      const { privateKey, publicKey } = testKeyPair(algorithm);
      const isSameFamily = algorithm === other || (algorithm.startsWith("RS") && other.startsWith("RS"));
      for (const make of [
        () => createSigningKey("k", other, privateKey),
        () => createVerificationKey("k", other, publicKey),
      ]) {
        if (isSameFamily) make();
        else assert.throws(make, TypeError);
      }
    }
  }
});

test("a key of ours verifies its one algorithm, even where the key could verify others", async () => {
  const { key, rules } = arrange("RS256");
  const withOtherHash = await signJwt({ ...key, algorithm: "RS512" }, "JWT", claims);
  assert.throws(() => verifyOwnJwt(withOtherHash, rules), isRefused("signature"));
  const withOtherHeader = await signJwt(createSigningKey("key-1", "RS512", key.input.key), "JWT", claims);
  assert.throws(() => verifyOwnJwt(withOtherHeader, rules), isRefused("algorithm"));
});
