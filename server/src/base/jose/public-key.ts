import { createPublicKey, type KeyObject, type webcrypto, X509Certificate } from "node:crypto";
import { isBase64Url } from "../base64url.ts";
import { Fault } from "../fault.ts";
import { isRecord } from "../json.ts";
import { algorithmsOf, type SignatureAlgorithm } from "./algorithm.ts";
import { parseStrictObject } from "./strict-json.ts";

const longestInput = 32 * 1024;
const rsaBits = { least: 2048, most: 8192 } as const;
// FIPS 186-5 §5.1 requires more than 2^16; far larger ones only make verification slow.
const rsaExponent = { least: 65_537n, most: 2n ** 32n } as const;

/** A checked public key of a third party, with the algorithms that it may verify. */
export interface PublicKey {
  readonly key: KeyObject;
  readonly algorithms: readonly SignatureAlgorithm[];
  /** `kid` of a JWK. */
  readonly keyId?: string;
}

/**
 * Reads a public key: SPKI, PKCS #1 or X.509 certificate in PEM, or a JWK (object or JSON text). Accepts RSA of 2048 to
 * 8192 bits, P-256, P-384, P-521, Ed25519. Of a certificate only the key counts: the registering caller vouches for it,
 * not an issuer. Throws the Faults `public_key.malformed|private|unsupported|weak|too_large|not_for_signatures`, with
 * `field`.
 */
export function importPublicKey(input: string | Readonly<Record<string, unknown>>, field = "publicKey"): PublicKey {
  const jwk = toJwk(input, field);
  const imported = jwk === undefined ? { key: readPem(input as string, field) } : readJwk(jwk, field);
  const algorithms = algorithmsOf(imported.key);
  if (algorithms.length === 0) throw refused("unsupported", field);
  if (imported.key.asymmetricKeyType === "rsa") checkRsa(imported.key, field);
  if (imported.key.asymmetricKeyType === "ed25519") checkEd25519(imported.key, field);
  const pinned = jwk?.["alg"];
  if (pinned === undefined) return { ...imported, algorithms };
  // A JWK that names its algorithm verifies no other (RFC 7517 §4.4).
  const allowed = algorithms.filter((algorithm) => algorithm === pinned);
  if (allowed.length === 0) throw refused("unsupported", field);
  return { ...imported, algorithms: allowed };
}

/** Returns the form in which third-party keys are stored: SPKI in PEM. */
export const toPublicPem = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();

type Cause = "malformed" | "private" | "unsupported" | "weak" | "too_large" | "not_for_signatures";

const refused = (cause: Cause, field: string, error?: unknown): Fault =>
  new Fault("invalid_argument", `public_key.${cause}`, {
    field,
    values: { least: rsaBits.least, most: rsaBits.most },
    cause: error,
  });

function toJwk(
  input: string | Readonly<Record<string, unknown>>,
  field: string,
): Readonly<Record<string, unknown>> | undefined {
  if (isRecord(input)) return input;
  if (typeof input !== "string" || input.length > longestInput) throw refused("malformed", field);
  if (!input.trimStart().startsWith("{")) return undefined;
  const jwk = parseStrictObject(Buffer.from(input.trim(), "utf8"));
  if (jwk === undefined) throw refused("malformed", field);
  return jwk;
}

const pemForm =
  /^\s*-----BEGIN (PUBLIC KEY|RSA PUBLIC KEY|CERTIFICATE)-----\r?\n([A-Za-z0-9+/=\s]+)-----END \1-----\s*$/;

function readPem(input: string, field: string): KeyObject {
  // Node would derive the public key. But a private key that was pasted here is no longer secret, and its owner should
  // know.
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(input)) throw refused("private", field);
  const [pem, label] = pemForm.exec(input) ?? [];
  if (pem === undefined) throw refused("malformed", field);
  try {
    return label === "CERTIFICATE" ? new X509Certificate(pem.trim()).publicKey : createPublicKey(pem.trim());
  } catch (error) {
    throw refused("malformed", field, error);
  }
}

const jwkMembers: Readonly<Record<string, readonly ("n" | "e" | "x" | "y")[]>> = {
  RSA: ["n", "e"],
  EC: ["x", "y"],
  OKP: ["x"],
};
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

function readJwk(jwk: Readonly<Record<string, unknown>>, field: string): { key: KeyObject; keyId?: string } {
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) throw refused("private", field);
  const { kty, crv, use, key_ops: operations, kid } = jwk;
  if (typeof kty !== "string") throw refused("malformed", field);
  const members = Object.hasOwn(jwkMembers, kty) ? jwkMembers[kty] : undefined;
  if (members === undefined || !isKnownCurve(kty, crv)) throw refused("unsupported", field);
  const isForVerifying = operations === undefined || (Array.isArray(operations) && operations.includes("verify"));
  if ((use !== undefined && use !== "sig") || !isForVerifying) throw refused("not_for_signatures", field);
  if (kid !== undefined && (typeof kid !== "string" || kid === "" || kid.length > 256))
    throw refused("malformed", field);
  const key: webcrypto.JsonWebKey = { kty };
  if (typeof crv === "string" && kty !== "RSA") key.crv = crv;
  for (const name of members) {
    const value = jwk[name];
    if (typeof value !== "string" || value === "" || !isBase64Url(value)) throw refused("malformed", field);
    key[name] = value;
  }
  try {
    return { key: createPublicKey({ format: "jwk", key }), ...(kid !== undefined && { keyId: kid }) };
  } catch (error) {
    throw refused("malformed", field, error);
  }
}

const curves: Readonly<Record<string, readonly unknown[]>> = { EC: ["P-256", "P-384", "P-521"], OKP: ["Ed25519"] };

const isKnownCurve = (kty: string, crv: unknown): boolean => kty === "RSA" || curves[kty]?.includes(crv) === true;

function checkRsa(key: KeyObject, field: string): void {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength > rsaBits.most) throw refused("too_large", field);
  const isExponentSane =
    publicExponent >= rsaExponent.least && publicExponent <= rsaExponent.most && publicExponent % 2n === 1n;
  const modulus = Buffer.from(key.export({ format: "jwk" }).n ?? "", "base64url");
  const isOdd = ((modulus.at(-1) ?? 0) & 1) === 1;
  if (modulusLength < rsaBits.least || !isExponentSane || !isOdd) throw refused("weak", field);
}

// The points of small order, in each of their encodings (ignoring the sign bit): such a key "verifies" any message (RFC
// 8032 §5.1.7).
const smallOrderPoints = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

function checkEd25519(key: KeyObject, field: string): void {
  const point = Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
  point[31] = (point[31] ?? 0) & 0x7f;
  if (smallOrderPoints.has(point.toString("hex"))) throw refused("weak", field);
}
