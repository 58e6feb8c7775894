import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { calculateJwkThumbprint } from "jose";
import { type DpopProofRules, JwtRefused, verifyDpopProof } from "../../../src/base/jose/index.ts";
import { type HostileToken, hostileForms } from "../../support/hostile/hostile-jose.ts";
import {
  type GoodToken,
  goodJwt,
  json,
  signedWith,
  signRaw,
  type TestAlgorithm,
  testKeyPair,
} from "../../support/oidc/signed-jose.ts";
import { isDoneWithin } from "../../support/servers/cpu-time.ts";

const url = "https://id.example.com/oauth/v2/token";
const accessToken = "dwa_token";
const ath = createHash("sha256").update(accessToken).digest("base64url");
const rules: DpopProofRules = {
  algorithms: ["ES256", "ES384", "ES512", "EdDSA", "RS256", "PS256"],
  method: "POST",
  url,
  accessToken: undefined,
};

function arrange(algorithm: TestAlgorithm): GoodToken {
  const pair = testKeyPair(algorithm);
  const header = { alg: algorithm, kid: "key-1", typ: "dpop+jwt", jwk: pair.publicKey.export({ format: "jwk" }) };
  return { ...pair, header, claims: { htm: "POST", htu: url, iat: 1_800_000_000, jti: "proof-1", ath } };
}

// A proof brings its key, and any key may make one: what of the corpus is about other people's keys is no attack on it.
const isAboutKeys = ({ name }: HostileToken): boolean =>
  name.startsWith("kid ") || name.startsWith('header {"jwk"') || name.startsWith("signed with the key that its header");

function hostileKeys(good: GoodToken): HostileToken[] {
  const own = good.publicKey.export({ format: "jwk" });
  const secret = good.privateKey.export({ format: "jwk" });
  const short = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const keys: Record<string, unknown> = {
    "no key": undefined,
    "a key that is null": null,
    "a key as text": json(own),
    "a list of keys": [own],
    "a key set": { keys: [own] },
    "an empty key": {},
    "the private key as well": secret,
    "half of the private key": { ...own, d: "x" },
    "a shared secret": { kty: "oct", k: Buffer.from("secret").toString("base64url") },
    "another key": testKeyPair(good.header.alg).publicKey.export({ format: "jwk" }),
    "a key for encryption": { ...own, use: "enc" },
    "a key for another operation": { ...own, key_ops: ["encrypt"] },
    "a key of another algorithm": { ...own, alg: good.header.alg === "RS256" ? "PS256" : "RS256" },
    "a key of a curve that is not known": { ...own, kty: "EC", crv: "secp256k1" },
    "a type that is inherited": { ...own, kty: "__proto__" },
  };
  return [
    ...Object.entries(keys).map(([name, jwk]) => ({ name, token: signedWith(good, { jwk }) })),
    {
      name: "a weak key",
      token: signRaw(
        { privateKey: short.privateKey, header: { ...good.header, alg: "RS256" } },
        json({ ...good.header, alg: "RS256", jwk: short.publicKey.export({ format: "jwk" }) }),
        json(good.claims),
      ),
    },
  ];
}

function hostileClaims(good: GoodToken): HostileToken[] {
  const notTexts = [undefined, null, "", 1, true, {}, [], ["POST"], "x".repeat(3_000)];
  const wrong: Record<string, readonly unknown[]> = {
    htm: [...notTexts, "GET", "post", "POST ", "PUT", "POST,GET"],
    htu: [
      ...notTexts,
      "https://evil.example/oauth/v2/token",
      "http://id.example.com/oauth/v2/token",
      "/oauth/v2/token",
      "https://id.example.com",
      "https://id.example.com/oauth/v2/token/",
      "https://id.example.com/OAuth/v2/token",
      "https://id.example.com:8443/oauth/v2/token",
      "https://id.example.com.evil.example/oauth/v2/token",
      "https://id.example.com@evil.example/oauth/v2/token",
      "https://u:p@id.example.com/oauth/v2/token",
      "https://id.example.com/oauth/v2/token%00",
      "https://id.example.com//oauth/v2/token",
      "javascript:alert(1)",
    ],
    iat: [undefined, null, "", "1800000000", [1], {}, true, -1, 1e308, 253_402_300_800],
    jti: [...notTexts],
    nonce: [null, "", 1, {}, ["x"], "x".repeat(3_000)],
    ath: [null, "", 1, {}, [ath]],
  };
  return Object.entries(wrong).flatMap(([name, values]) =>
    values.map((value, index) => ({
      name: `${name} ${index} ${String(json(value)).slice(0, 60)}`,
      token: signedWith(good, {}, { [name]: value }),
    })),
  );
}

for (const algorithm of ["ES256", "ES384", "ES512", "EdDSA", "RS256"] as const) {
  test(`a proof signed with ${algorithm} says which key its sender has`, async () => {
    const good = arrange(algorithm);
    const verified = await verifyDpopProof(goodJwt(good), rules);
    assert.equal(verified.thumbprint, await calculateJwkThumbprint(good.publicKey.export({ format: "jwk" })));
    assert.equal(verified.issuedAt, 1_800_000_000_000);
    assert.equal(verified.nonce, undefined);
    const again = await verifyDpopProof(goodJwt(good), { ...rules, accessToken });
    assert.equal(again.replayKey, verified.replayKey);
    const next = await verifyDpopProof(signedWith(good, {}, { jti: "proof-2", nonce: "n" }), rules);
    assert.notEqual(next.replayKey, verified.replayKey);
    assert.equal(next.nonce, "n");
  });
}

describe("hostile proofs are refused, each within 50 ms", () => {
  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
    const good = arrange(algorithm);
    const forms = hostileForms(good).filter((hostile) => !isAboutKeys(hostile));
    const corpus = [...forms, ...hostileKeys(good), ...hostileClaims(good)];
    test(`${algorithm}: ${corpus.length} proofs`, async () => {
      assert.ok(corpus.length > 200);
      await verifyDpopProof(goodJwt(good), rules);
      for (const { name, token } of corpus) {
        const refuse = () => assert.rejects(verifyDpopProof(token, rules), JwtRefused, name);
        assert.ok(await isDoneWithin(50, refuse), name);
      }
    });
  }
});

test("beside an access token a proof must be for that token", async () => {
  const good = arrange("ES256");
  await verifyDpopProof(goodJwt(good), { ...rules, accessToken });
  const wrong = [undefined, createHash("sha256").update("dwa_other").digest("base64url"), `${ath}=`, accessToken];
  for (const other of wrong) {
    await assert.rejects(verifyDpopProof(signedWith(good, {}, { ath: other }), { ...rules, accessToken }), JwtRefused);
  }
});

test("an address is compared as what it means (RFC 9449 §4.3)", async () => {
  const good = arrange("ES256");
  const same = [
    `${url}?x=1`,
    `${url}#x`,
    "HTTPS://ID.example.com/oauth/v2/token",
    "https://id.example.com:443/oauth/v2/token",
  ];
  for (const htu of same) await verifyDpopProof(signedWith(good, {}, { htu }), rules);
});

test("a proof that another key signed proves the other key, never this one", async () => {
  const good = arrange("ES256");
  const other = arrange("ES256");
  const { thumbprint } = await verifyDpopProof(goodJwt(good), rules);
  assert.notEqual((await verifyDpopProof(goodJwt(other), rules)).thumbprint, thumbprint);
});
