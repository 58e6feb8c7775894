import assert from "node:assert/strict";
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { test } from "node:test";
import { calculateJwkThumbprint, exportJWK } from "jose";
import { Fault } from "../../../src/base/fault.ts";
import { importPublicKey, jwkThumbprint, toPublicJwk, toPublicPem } from "../../../src/base/jose/index.ts";
import { isDoneWithin } from "../../support/servers/cpu-time.ts";
import { certificates } from "./certificates.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");

const rsaAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
const pairs = [
  { pair: rsa, algorithms: rsaAlgorithms },
  { pair: generateKeyPairSync("rsa", { modulusLength: 3072 }), algorithms: rsaAlgorithms },
  { pair: ec, algorithms: ["ES256"] },
  { pair: generateKeyPairSync("ec", { namedCurve: "P-384" }), algorithms: ["ES384"] },
  { pair: generateKeyPairSync("ec", { namedCurve: "P-521" }), algorithms: ["ES512"] },
  { pair: ed, algorithms: ["EdDSA", "Ed25519"] },
];

const spki = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();
const isRefused = (cause: string) => (error: unknown) =>
  error instanceof Fault &&
  error.code === "invalid_argument" &&
  error.id === `public_key.${cause}` &&
  error.field === "key";
const assertRefused = (input: unknown, cause: string, what?: string): void =>
  assert.throws(
    () => importPublicKey(input as string, "key"),
    isRefused(cause),
    what ?? JSON.stringify(input)?.slice(0, 200),
  );

test("a key is read in each of its forms, and is the same key with the algorithms of its kind", () => {
  for (const { pair, algorithms } of pairs) {
    const { publicKey } = pair;
    const jwk = publicKey.export({ format: "jwk" });
    const pem = spki(publicKey);
    const forms: (string | Record<string, unknown>)[] = [
      pem,
      pem.trim(),
      `\n ${pem}\n`,
      pem.replaceAll("\n", "\r\n"),
      { ...jwk },
      JSON.stringify(jwk),
      { ...jwk, use: "sig", key_ops: ["verify"], kid: "a", custom: 1 },
    ];
    if (publicKey.asymmetricKeyType === "rsa")
      forms.push(publicKey.export({ type: "pkcs1", format: "pem" }).toString());
    for (const form of forms) {
      const imported = importPublicKey(form);
      assert.ok(imported.key.equals(publicKey));
      assert.deepEqual(imported.algorithms, algorithms);
      assert.equal(toPublicPem(imported.key), pem);
    }
  }
});

test("only the key of a certificate counts", () => {
  for (const [kind, algorithm] of [
    ["rsa", "RS256"],
    ["ec", "ES256"],
    ["ed25519", "EdDSA"],
  ] as const) {
    assert.ok(importPublicKey(certificates[kind]).algorithms.includes(algorithm));
  }
  assertRefused(certificates.weakRsa, "weak");
});

test("a JWK keeps its kid, and its alg pins the algorithm", () => {
  const jwk = { ...rsa.publicKey.export({ format: "jwk" }), kid: "key-7", alg: "PS256" };
  assert.equal(importPublicKey(jwk).keyId, "key-7");
  assert.deepEqual(importPublicKey(jwk).algorithms, ["PS256"]);
  for (const alg of ["ES256", "HS256", "none", "RSA-OAEP", "rs256", "", 1, null])
    assertRefused({ ...jwk, alg }, "unsupported");
  for (const kid of ["", 1, null, "x".repeat(257)]) assertRefused({ ...jwk, kid }, "malformed");
});

test("a private key is refused by name, in every form", () => {
  for (const { pair } of pairs) {
    const { privateKey } = pair;
    assertRefused(privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "private");
    assertRefused(
      privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString(),
      "private",
    );
    assertRefused({ ...privateKey.export({ format: "jwk" }) }, "private");
    assertRefused(JSON.stringify(privateKey.export({ format: "jwk" })), "private");
    assertRefused(spki(pair.publicKey) + privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "private");
  }
  assertRefused(rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString(), "private");
  assertRefused(ec.privateKey.export({ type: "sec1", format: "pem" }).toString(), "private");
  assertRefused({ kty: "oct", k: "c2VjcmV0" }, "private");
});

test("keys of other kinds and curves are refused", () => {
  const others = [
    ...["secp256k1", "prime192v1", "brainpoolP256r1"].map(
      (namedCurve) => generateKeyPairSync("ec", { namedCurve }).publicKey,
    ),
    generateKeyPairSync("ed448").publicKey,
    generateKeyPairSync("x25519").publicKey,
    generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 }).publicKey,
    generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey,
  ];
  for (const key of others) assertRefused(spki(key), "unsupported", key.asymmetricKeyType);
  const jwk = ec.publicKey.export({ format: "jwk" });
  for (const crv of ["P-192", "secp256k1", "Ed25519", "__proto__", "", undefined, 1, ["P-256"]]) {
    assertRefused({ ...jwk, crv }, "unsupported");
  }
  for (const kty of ["oct", "RSA ", "rsa", "", "__proto__", "constructor"])
    assertRefused({ ...jwk, kty }, "unsupported");
  for (const kty of [undefined, 1, null, ["EC"]]) assertRefused({ ...jwk, kty }, "malformed");
});

test("weak RSA keys are refused: short, even, or with an odd exponent of their own", () => {
  const jwk = rsa.publicKey.export({ format: "jwk" });
  for (const bits of [512, 1024, 2040]) {
    assertRefused(spki(generateKeyPairSync("rsa", { modulusLength: bits }).publicKey), "weak", `${bits}`);
  }
  const exponents = [1, 2, 3, 5, 17, 35, 37, 257, 65_535, 65_536, 65_538];
  for (const exponent of exponents) {
    const hex = exponent.toString(16);
    const e = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex").toString("base64url");
    assert.throws(() => importPublicKey({ ...jwk, e }, "key"), Fault, `${exponent}`);
  }
  for (const size of [5, 9, 32, 255]) {
    const e = Buffer.concat([Buffer.of(1), randomBytes(size - 2), Buffer.of(1)]).toString("base64url");
    assert.throws(() => importPublicKey({ ...jwk, e }, "key"), Fault, `exponent of ${size} bytes`);
  }
  const modulus = Buffer.from(jwk.n ?? "", "base64url");
  modulus[255] = (modulus[255] ?? 0) & 0xfe;
  assert.throws(() => importPublicKey({ ...jwk, n: modulus.toString("base64url") }, "key"), Fault);
  const large = Buffer.alloc(1025, 0xff).toString("base64url");
  assertRefused({ ...jwk, n: large }, "too_large");
});

test("points that are not on the curve are refused", () => {
  for (const crv of ["P-256", "P-384", "P-521"] as const) {
    const jwk = generateKeyPairSync("ec", { namedCurve: crv }).publicKey.export({ format: "jwk" });
    const size = Buffer.from(jwk.x ?? "", "base64url").length;
    const points = [
      { x: Buffer.alloc(size), y: Buffer.alloc(size) },
      { x: Buffer.alloc(size, 0xff), y: Buffer.alloc(size, 0xff) },
      { x: Buffer.from(jwk.y ?? "", "base64url"), y: Buffer.from(jwk.x ?? "", "base64url") },
      ...Array.from({ length: 20 }, () => ({ x: randomBytes(size), y: randomBytes(size) })),
      { x: Buffer.from(jwk.x ?? "", "base64url"), y: Buffer.alloc(0) },
    ];
    for (const { x, y } of points) {
      assertRefused({ ...jwk, x: x.toString("base64url"), y: y.toString("base64url") }, "malformed");
    }
  }
});

test("Ed25519 keys that accept forged signatures are refused", () => {
  const small = [
    "01" + "00".repeat(31),
    "00".repeat(32),
    "ec" + "ff".repeat(30) + "7f",
    "ed" + "ff".repeat(30) + "7f",
    "ee" + "ff".repeat(30) + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  ];
  for (const hex of small) {
    for (const sign of [0, 0x80]) {
      const point = Buffer.from(hex, "hex");
      point[31] = (point[31] ?? 0) | sign;
      assertRefused({ kty: "OKP", crv: "Ed25519", x: point.toString("base64url") }, "weak");
    }
  }
  for (const size of [0, 1, 31, 33, 64]) {
    assertRefused({ kty: "OKP", crv: "Ed25519", x: randomBytes(size).toString("base64url") }, "malformed");
  }
});

test("keys that are not for signatures are refused", () => {
  const jwk = { ...ec.publicKey.export({ format: "jwk" }) };
  for (const use of ["enc", "", "SIG", 1, null, ["sig"]]) assertRefused({ ...jwk, use }, "not_for_signatures");
  for (const key_ops of [[], ["sign"], ["encrypt"], "verify", null, {}])
    assertRefused({ ...jwk, key_ops }, "not_for_signatures");
});

test("anything that is not a key is refused as malformed, quickly", async () => {
  const pem = spki(ec.publicKey);
  const jwk = ec.publicKey.export({ format: "jwk" });
  const wrong: unknown[] = [
    "",
    " ",
    "x",
    "{",
    "{}",
    "[]",
    "null",
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
    pem + pem,
    `x${pem}`,
    `${pem}x`,
    pem.replace("END PUBLIC", "END RSA PUBLIC"),
    pem.replaceAll("PUBLIC KEY", "CERTIFICATE"),
    pem.replaceAll("PUBLIC KEY", "RSA PUBLIC KEY"),
    pem.replaceAll("PUBLIC KEY", "OPENSSH KEY"),
    pem.replaceAll("-----", "----"),
    pem.slice(0, 100),
    pem.split("\n")[1],
    certificates.ec.replaceAll("CERTIFICATE", "PUBLIC KEY"),
    certificates.ec + certificates.rsa,
    ec.publicKey.export({ type: "spki", format: "der" }).toString("latin1"),
    `-----BEGIN PUBLIC KEY-----\n${"A".repeat(100_000)}\n-----END PUBLIC KEY-----`,
    `-----BEGIN PUBLIC KEY-----\n${"A\n".repeat(10_000)}`,
    `${JSON.stringify(jwk).slice(0, -1)},"x":"AAAA"}`,
    { ...jwk, x: `${jwk.x}=` },
    { ...jwk, x: 1 },
    { ...jwk, y: undefined },
    { ...jwk, x: `${jwk.x?.slice(0, -1)}\n` },
    undefined,
    null,
    1,
    true,
    [],
    [jwk],
  ];
  for (const input of wrong) assert.ok(await isDoneWithin(100, () => assertRefused(input, "malformed")));
});

test("the thumbprint is that of RFC 7638, and of jose", async () => {
  // RFC 7638 §3.1.
  const n =
    "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
  const example = createPublicKey({ format: "jwk", key: { kty: "RSA", n, e: "AQAB" } });
  assert.equal(jwkThumbprint(example), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
  for (const { pair } of pairs) {
    assert.equal(jwkThumbprint(pair.publicKey), await calculateJwkThumbprint(await exportJWK(pair.publicKey)));
    assert.equal(jwkThumbprint(pair.privateKey), jwkThumbprint(pair.publicKey));
    const { d, p, q } = toPublicJwk(pair.privateKey) as Record<string, unknown>;
    assert.deepEqual([d, p, q], [undefined, undefined, undefined]);
  }
  assert.throws(() => toPublicJwk(generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 }).publicKey));
  assert.notEqual(createHash("sha256").update(n).digest("base64url"), jwkThumbprint(example));
});
