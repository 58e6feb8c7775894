import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** What a token looks like that the verifier under test accepts. */
export interface GoodToken {
  readonly header: { readonly alg: TestAlgorithm; readonly kid: string; readonly typ?: string };
  readonly claims: Readonly<Record<string, unknown>>;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export type TestAlgorithm = "RS256" | "RS384" | "RS512" | "ES256" | "ES384" | "ES512" | "EdDSA";

export type Json = Readonly<Record<string, unknown>>;

export const hashes: Readonly<Record<string, string | null>> = {
  RS256: "sha256",
  RS384: "sha384",
  RS512: "sha512",
  ES256: "sha256",
  ES384: "sha384",
  ES512: "sha512",
  EdDSA: null,
};

/** A part of a token: base64url. */
export const segment = (part: Buffer | string): string => Buffer.from(part as string).toString("base64url");
/** The claims or the header as text. */
export const json = (value: unknown): string => JSON.stringify(value);

/** A key pair for an algorithm. */
export function testKeyPair(algorithm: TestAlgorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  switch (algorithm) {
    case "RS256":
    case "RS384":
    case "RS512":
      return generateKeyPairSync("rsa", { modulusLength: 2048 });
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "ES384":
      return generateKeyPairSync("ec", { namedCurve: "P-384" });
    case "ES512":
      return generateKeyPairSync("ec", { namedCurve: "P-521" });
    case "EdDSA":
      return generateKeyPairSync("ed25519");
    default:
      return algorithm satisfies never;
  }
}

/** Signs whatever it is given, well-formed or not, with the key's own algorithm. */
export function signRaw(
  good: Pick<GoodToken, "privateKey" | "header">,
  header: Buffer | string,
  payload: Buffer | string,
  privateKey: KeyObject = good.privateKey,
): string {
  const input = `${segment(header)}.${segment(payload)}`;
  const signature = sign(hashes[good.header.alg] ?? null, Buffer.from(input), {
    key: privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `${input}.${segment(signature)}`;
}

/**
 * The good token itself: the control that every suite needs, because a verifier that refuses everything passes
 * everything else.
 */
export const goodJwt = (good: GoodToken): string => signRaw(good, json(good.header), json(good.claims));

/** A token with other header members and claims, rightly signed. An undefined member is left out. */
export const signedWith = (good: GoodToken, header: Json, claims: Json = {}): string =>
  signRaw(good, json({ ...good.header, ...header }), json({ ...good.claims, ...claims }));
