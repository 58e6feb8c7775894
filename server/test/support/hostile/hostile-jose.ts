import { createHmac, sign } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import {
  type GoodToken,
  goodJwt,
  hashes,
  type Json,
  json,
  segment,
  signedWith,
  signRaw,
  testKeyPair,
} from "../oidc/signed-jose.ts";

/** A token that must be refused, and what is wrong with it. Everything else about it is right. */
export interface HostileToken {
  readonly name: string;
  readonly token: string;
}

/**
 * Tokens that every verifier must refuse for their form, header, key or signature, whatever its rules for claims are.
 */
export function hostileForms(good: GoodToken): HostileToken[] {
  return [
    ...withoutSignature(good),
    ...withSharedSecret(good),
    ...withOtherAlgorithm(good),
    ...withHeader(good),
    ...withKeyId(good),
    ...withType(good),
    ...withSignature(good),
    ...withSpelling(good),
    ...withStructure(good),
    ...withJson(good),
  ];
}

function withoutSignature(good: GoodToken): HostileToken[] {
  const signature = goodJwt(good).split(".")[2] ?? "";
  return ["none", "None", "NONE", "nOnE", "noNE", "none ", " none", "nonе", ""].flatMap((alg) => {
    const input = `${segment(json({ ...good.header, alg }))}.${segment(json(good.claims))}`;
    return [
      { name: `alg ${json(alg)}, no signature`, token: `${input}.` },
      { name: `alg ${json(alg)}, two segments`, token: input },
      { name: `alg ${json(alg)}, some signature`, token: `${input}.${signature}` },
    ];
  });
}

// The public key is public: as a secret it proves nothing (CVE-2022-23541, CVE-2015-9235, CVE-2023-48223).
function withSharedSecret(good: GoodToken): HostileToken[] {
  const pem = good.publicKey.export({ type: "spki", format: "pem" }).toString();
  const jwk = good.publicKey.export({ format: "jwk" });
  const secrets: Record<string, string | Buffer> = {
    "SPKI PEM": pem,
    "SPKI PEM without its last line break": pem.trimEnd(),
    "SPKI PEM after a line break": `\n${pem}`,
    "SPKI PEM after a space": ` ${pem}`,
    "SPKI DER": good.publicKey.export({ type: "spki", format: "der" }),
    JWK: json(jwk),
    "x or n of the JWK": Buffer.from(jwk.x ?? jwk.n ?? "", "base64url"),
    "key id": good.header.kid,
    nothing: "",
  };
  if (good.publicKey.asymmetricKeyType === "rsa") {
    secrets["PKCS #1 PEM"] = good.publicKey.export({ type: "pkcs1", format: "pem" }).toString();
  }
  return Object.entries(secrets).flatMap(([name, secret]) =>
    ["256", "384", "512"].map((bits) => {
      const input = `${segment(json({ ...good.header, alg: `HS${bits}` }))}.${segment(json(good.claims))}`;
      const mac = createHmac(`sha${bits}`, secret).update(input).digest("base64url");
      return { name: `HS${bits} with ${name} as the secret`, token: `${input}.${mac}` };
    }),
  );
}

function withOtherAlgorithm(good: GoodToken): HostileToken[] {
  const { alg } = good.header;
  const names = [
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES256K",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed448",
    "HS256",
    "dir",
    "RSA1_5",
  ];
  const notAlgorithms = [
    alg.toLowerCase() === alg ? alg.toUpperCase() : alg.toLowerCase(),
    `${alg} `,
    ` ${alg}`,
    `${alg}\u0000`,
    [alg],
    { alg },
    1,
    true,
    null,
    undefined,
  ];
  return [...names.filter((name) => name !== alg), ...notAlgorithms].map((other) => ({
    name: `alg ${json(other)} over a signature of ${alg}`,
    token: signedWith(good, { alg: other }),
  }));
}

function withHeader(good: GoodToken): HostileToken[] {
  const other = testKeyPair(good.header.alg);
  const jwk = { ...other.publicKey.export({ format: "jwk" }), kid: good.header.kid, alg: good.header.alg };
  const own = [
    { crit: ["x"], x: 1 },
    { crit: [] },
    { crit: ["exp"], exp: 9_999_999_999 },
    { crit: ["b64"], b64: false },
    { crit: ["b64"], b64: true },
    { crit: "alg" },
    { crit: null },
    { b64: false },
    { b64: true },
    { zip: "DEF" },
    { enc: "A256GCM" },
    { jwk: good.publicKey.export({ format: "jwk" }) },
    { jku: "https://attacker.example/keys" },
    { jku: "http://127.0.0.1:1/keys" },
    { x5u: "https://attacker.example/certificate" },
    { x5c: ["MIIB"] },
  ];
  const brought = [{ jwk }, { jwk, kid: undefined }, { jwk, jku: "https://attacker.example/keys" }];
  return [
    ...own.map((header) => ({ name: `header ${json(header)}`, token: signedWith(good, header) })),
    ...brought.map((header) => ({
      name: `signed with the key that its header brings (${Object.keys(header).join()})`,
      token: signRaw(good, json({ ...good.header, ...header }), json(good.claims), other.privateKey),
    })),
  ];
}

function withKeyId({ header, ...rest }: GoodToken): HostileToken[] {
  const good = { header, ...rest };
  const ids = [
    "unknown",
    `${header.kid} `,
    header.kid.slice(0, -1),
    `${header.kid}\u0000`,
    "../../../../etc/passwd",
    "/dev/null",
    "' or 1=1 --",
    "*",
    "__proto__",
    "constructor",
    "toString",
    "x".repeat(10_000),
    "",
    0,
    1,
    true,
    null,
    [header.kid],
    { kid: header.kid },
    `https://attacker.example/${header.kid}`,
  ];
  return ids.map((kid) => ({ name: `kid ${json(kid).slice(0, 60)}`, token: signedWith(good, { kid }) }));
}

function withType(good: GoodToken): HostileToken[] {
  const others = [
    "at+jwt",
    "application/at+jwt",
    "logout+jwt",
    "userinfo+jwt",
    "dpop+jwt",
    "secevent+jwt",
    "oauth-authz-req+jwt",
    "JWE",
    "JOSE+JSON",
    "x",
    "",
    1,
    null,
    ["JWT"],
  ];
  const accepted = (good.header.typ ?? "JWT").toLowerCase();
  return others
    .filter((typ) => typeof typ !== "string" || typ.replace("application/", "").toLowerCase() !== accepted)
    .map((typ) => ({ name: `typ ${json(typ)}`, token: signedWith(good, { typ }) }));
}

function withSignature(good: GoodToken): HostileToken[] {
  const token = goodJwt(good);
  const [header = "", payload = "", signature = ""] = token.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const foreign = signRaw(good, json(good.header), json(good.claims), testKeyPair(good.header.alg).privateKey);
  const flipped = [0, bytes.length >> 1, bytes.length - 1].map((index) => {
    const copy = Buffer.from(bytes);
    copy[index] = (copy[index] ?? 0) ^ 1;
    return copy;
  });
  const signatures: [string, Buffer][] = [
    ["empty", Buffer.alloc(0)],
    ["all zero", Buffer.alloc(bytes.length)],
    ["all one bits", Buffer.alloc(bytes.length, 0xff)],
    [
      "R and S of one",
      Buffer.concat([
        Buffer.alloc(bytes.length / 2 - 1),
        Buffer.of(1),
        Buffer.alloc(bytes.length / 2 - 1),
        Buffer.of(1),
      ]),
    ],
    ["one byte short", bytes.subarray(0, -1)],
    ["one byte more", Buffer.concat([bytes, Buffer.of(0)])],
    ["one zero byte before", Buffer.concat([Buffer.of(0), bytes])],
    ["twice", Buffer.concat([bytes, bytes])],
    ["reversed", Buffer.from(bytes).reverse()],
    ...flipped.map((copy, index): [string, Buffer] => [`bit flipped (${index})`, copy]),
  ];
  if (good.publicKey.asymmetricKeyType === "ec") {
    const der = sign(hashes[good.header.alg] ?? null, Buffer.from(`${header}.${payload}`), good.privateKey);
    signatures.push(["in DER", der]);
  }
  const changedClaims = segment(json({ ...good.claims, sub: "somebody-else" }));
  const changedHeader = segment(json({ ...good.header, extra: 1 }));
  return [
    ...signatures.map(([name, copy]) => ({
      name: `signature ${name}`,
      token: `${header}.${payload}.${segment(copy)}`,
    })),
    { name: "signature of another key", token: foreign },
    { name: "claims changed after signing", token: `${header}.${changedClaims}.${signature}` },
    { name: "header changed after signing", token: `${changedHeader}.${payload}.${signature}` },
    { name: "payload and header exchanged", token: `${payload}.${header}.${signature}` },
  ];
}

// One token has one spelling, or replay lists and caches see two. Node's decoder takes most of these.
function withSpelling(good: GoodToken): HostileToken[] {
  const token = goodJwt(good);
  const parts = token.split(".");
  const result: HostileToken[] = [];
  for (const index of [0, 1, 2]) {
    const replace = (name: string, change: (part: string) => string): void => {
      const changed = parts.with(index, change(parts[index] ?? "")).join(".");
      if (changed !== token) result.push({ name: `segment ${index + 1} ${name}`, token: changed });
    };
    for (const junk of ["=", "==", "\n", " ", "!", "{}", "\u0000", "%3D", "\u200b", "é"]) {
      replace(`followed by ${json(junk)}`, (part) => part + junk);
      replace(`with ${json(junk)} inside`, (part) => `${part.slice(0, 4)}${junk}${part.slice(4)}`);
    }
    replace("with spare bits", withSpareBits);
    replace("one character short", (part) => part.slice(0, -1));
  }
  for (const junk of [" ", "\n", "\ufeff", "Bearer ", "\t"])
    result.push({ name: `after ${json(junk)}`, token: junk + token });
  for (const junk of [" ", "\n", ".", ";"]) result.push({ name: `before ${json(junk)}`, token: token + junk });
  result.push({ name: "with full-width dots", token: token.replaceAll(".", "．") });
  result.push({ name: "percent-encoded", token: token.replaceAll(".", "%2E") });
  return result;
}

// Where the last character carries unused bits, another character decodes to the same bytes.
function withSpareBits(part: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  if (part.length % 4 === 0) return part;
  return part.slice(0, -1) + (alphabet[alphabet.indexOf(part.at(-1) ?? "A") + 1] ?? "_");
}

function withStructure(good: GoodToken): HostileToken[] {
  const token = goodJwt(good);
  const [protectedHeader = "", payload = "", signature = ""] = token.split(".");
  const bomb = deflateRawSync(Buffer.alloc(1_000_000)).toString("base64url").slice(0, 4000);
  const jwe = (header: Json): string => `${segment(json(header))}.AAAA.AAAA.${bomb}.AAAA`;
  return [
    { name: "empty", token: "" },
    { name: "one segment", token: protectedHeader },
    { name: "two segments", token: `${protectedHeader}.${payload}` },
    { name: "four segments", token: `${token}.AAAA` },
    { name: "five segments", token: `${token}.AAAA.AAAA` },
    { name: "dots only", token: ".." },
    { name: "a megabyte of dots", token: ".".repeat(1_000_000) },
    { name: "a megabyte of letters", token: "a".repeat(1_000_000) },
    { name: "a megabyte of segments", token: "a.".repeat(500_000) },
    { name: "empty header", token: `.${payload}.${signature}` },
    { name: "empty payload", token: `${protectedHeader}..${signature}` },
    { name: "detached payload", token: `${protectedHeader}..${signature}` },
    { name: "JSON form, flattened", token: json({ protected: protectedHeader, payload, signature }) },
    { name: "JSON form, general", token: json({ payload, signatures: [{ protected: protectedHeader, signature }] }) },
    { name: "JSON form, empty", token: "{}" },
    { name: "JSON form, unprotected header", token: json({ payload, signature, header: good.header }) },
    { name: "JWE with compression", token: jwe({ alg: "dir", enc: "A256GCM", zip: "DEF", kid: good.header.kid }) },
    {
      name: "JWE with 2^31 rounds",
      token: jwe({ alg: "PBES2-HS256+A128KW", enc: "A128GCM", p2c: 2 ** 31, p2s: "AAAA" }),
    },
    { name: "JWE with RSA1_5", token: jwe({ alg: "RSA1_5", enc: "A128CBC-HS256", kid: good.header.kid }) },
    { name: "a token in a token", token: signRaw(good, json({ ...good.header, cty: "JWT" }), token) },
    { name: "above 16 KiB, rightly signed", token: signedWith(good, {}, { filler: "x".repeat(16 * 1024) }) },
    {
      name: "with a megabyte of claims, rightly signed",
      token: signedWith(good, {}, { filler: "x".repeat(1_000_000) }),
    },
  ];
}

function withJson(good: GoodToken): HostileToken[] {
  const header = json(good.header);
  const claims = json(good.claims);
  const repeat = (text: string, member: string): string => `${text.slice(0, -1)},${member}}`;
  const texts = (text: string, member: string): [string, Buffer | string][] => [
    ["with a member twice", repeat(text, member)],
    [
      "with a member twice, spelled by escape",
      repeat(
        text,
        member.replace(/"(.)/, (_, first: string) => `"\\u00${first.charCodeAt(0).toString(16)}`),
      ),
    ],
    ["with an inner member twice", repeat(text, '"x":{"a":1,"a":1}')],
    ["with __proto__", repeat(text, '"__proto__":{"admin":true}')],
    ["in UTF-16", Buffer.from(text, "utf16le")],
    ["in UTF-16 with byte order mark", Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")])],
    ["after a byte order mark", `\ufeff${text}`],
    [
      "with bytes that are no UTF-8",
      Buffer.concat([Buffer.from(repeat(text, '"x":"').slice(0, -1)), Buffer.of(0xc3, 0x28), Buffer.from('"}')]),
    ],
    [
      "with an overlong encoding",
      Buffer.concat([Buffer.from(repeat(text, '"x":"').slice(0, -1)), Buffer.of(0xc0, 0x80), Buffer.from('"}')]),
    ],
    ["in an array", `[${text}]`],
    ["as a string", json(text)],
    ["null", "null"],
    ["a number", "1"],
    ["cut", text.slice(0, -1)],
    ["twice", text + text],
    ["followed by a NUL", `${text}\u0000`],
    ["with a comment", `/**/${text}`],
    ["with a trailing comma", `${text.slice(0, -1)},}`],
    ["with NaN", repeat(text, '"x":NaN')],
    ["with single quotes", text.replaceAll('"', "'")],
    ["nested a thousand deep", repeat(text, `"x":${"[".repeat(1000)}${"]".repeat(1000)}`)],
  ];
  const [name = "sub", value] = Object.entries(good.claims)[0] ?? [];
  return [
    ...texts(header, `"alg":${json(good.header.alg)}`).map(([what, text]) => ({
      name: `header ${what}`,
      token: signRaw(good, text, claims),
    })),
    ...texts(claims, `${json(name)}:${json(value)}`).map(([what, text]) => ({
      name: `claims ${what}`,
      token: signRaw(good, header, text),
    })),
  ];
}
