import { constants, type KeyObject } from "node:crypto";

/** How a signature is made and verified with node:crypto. */
interface Scheme {
  readonly uri: string;
  readonly keyType: "rsa" | "ec";
  readonly hash: "sha1" | "sha256" | "sha384" | "sha512";
}

/** Signature algorithms (RFC 9231 §2.3). HMAC is not among them: a shared secret proves no partner. */
const schemes = {
  "RSA-SHA1": { uri: "http://www.w3.org/2000/09/xmldsig#rsa-sha1", keyType: "rsa", hash: "sha1" },
  "RSA-SHA256": { uri: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", keyType: "rsa", hash: "sha256" },
  "RSA-SHA384": { uri: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384", keyType: "rsa", hash: "sha384" },
  "RSA-SHA512": { uri: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", keyType: "rsa", hash: "sha512" },
  "ECDSA-SHA256": { uri: "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", keyType: "ec", hash: "sha256" },
  "ECDSA-SHA384": { uri: "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384", keyType: "ec", hash: "sha384" },
  "ECDSA-SHA512": { uri: "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512", keyType: "ec", hash: "sha512" },
} as const satisfies Record<string, Scheme>;

/** The name of a signature algorithm. */
export type SamlAlgorithm = keyof typeof schemes;

const digests = {
  sha1: "http://www.w3.org/2000/09/xmldsig#sha1",
  sha256: "http://www.w3.org/2001/04/xmlenc#sha256",
  sha384: "http://www.w3.org/2001/04/xmldsig-more#sha384",
  sha512: "http://www.w3.org/2001/04/xmlenc#sha512",
} as const satisfies Record<Scheme["hash"], string>;

/** Returns the scheme of an algorithm. */
export const schemeOf = (algorithm: SamlAlgorithm): Scheme => schemes[algorithm];

/** Returns the scheme that a message names; undefined for unknown ones, and for SHA-1 unless it is allowed. */
export function schemeNamed(uri: string | undefined, allowsSha1: boolean): Scheme | undefined {
  const found: Scheme | undefined = Object.values(schemes).find((scheme) => scheme.uri === uri);
  return found === undefined || (found.hash === "sha1" && !allowsSha1) ? undefined : found;
}

export const digestUri = (hash: Scheme["hash"]): string => digests[hash];

/** Returns the hash that a message names; undefined for unknown ones, and for SHA-1 unless it is allowed. */
export function digestNamed(uri: string | undefined, allowsSha1: boolean): Scheme["hash"] | undefined {
  const found = (Object.keys(digests) as Scheme["hash"][]).find((hash) => digests[hash] === uri);
  return found === "sha1" && !allowsSha1 ? undefined : found;
}

/** Parameters of node:crypto for a key and a scheme; undefined when they do not fit. */
export function cryptoInput(key: KeyObject, { keyType }: Scheme) {
  if (key.asymmetricKeyType !== keyType) return undefined;
  // RFC 9231 §2.3.6: R and S one after the other, not DER.
  return keyType === "ec"
    ? ({ key, dsaEncoding: "ieee-p1363" } as const)
    : ({ key, padding: constants.RSA_PKCS1_PADDING } as const);
}
