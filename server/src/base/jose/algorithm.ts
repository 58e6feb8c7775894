import { constants, type KeyObject } from "node:crypto";

/** Algorithms with which we sign (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = "RS256" | "RS384" | "RS512" | "PS256" | "ES256" | "ES384" | "ES512" | "EdDSA";

/**
 * Algorithms that we accept from third parties. `Ed25519` is the fully specified name of `EdDSA` with that curve (RFC
 * 9864).
 */
export type SignatureAlgorithm = SigningAlgorithm | "PS384" | "PS512" | "Ed25519";

/** Parameters of node:crypto for an algorithm. */
export interface AlgorithmParameters {
  /** Null where the signature scheme hashes by itself. */
  readonly hash: "sha256" | "sha384" | "sha512" | null;
  /** ECDSA signatures in JOSE are R and S one after the other (RFC 7518 §3.4), not DER. */
  readonly dsaEncoding?: "ieee-p1363";
  /** RSASSA-PSS; the salt is as long as the hash (RFC 7518 §3.5). */
  readonly padding?: number;
  readonly saltLength?: number;
  /**
   * Whether one signature takes so long (0.2 ms and more) that it is made in the thread pool. Signatures per second on
   * one core: ES256 40,000, EdDSA 17,000–28,000; RS256 3,500, ES384 1,300, ES512 520.
   */
  readonly isSlow: boolean;
}

const ecdsa = { dsaEncoding: "ieee-p1363" } as const;
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const;

export const algorithmParameters = {
  RS256: { hash: "sha256", isSlow: true },
  RS384: { hash: "sha384", isSlow: true },
  RS512: { hash: "sha512", isSlow: true },
  PS256: { hash: "sha256", ...pss, isSlow: true },
  ES256: { hash: "sha256", ...ecdsa, isSlow: false },
  ES384: { hash: "sha384", ...ecdsa, isSlow: true },
  ES512: { hash: "sha512", ...ecdsa, isSlow: true },
  EdDSA: { hash: null, isSlow: false },
} as const satisfies Record<SigningAlgorithm, AlgorithmParameters>;

const rsaAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const;
const ecAlgorithms: Readonly<Record<string, readonly SignatureAlgorithm[]>> = {
  prime256v1: ["ES256"],
  secp384r1: ["ES384"],
  secp521r1: ["ES512"],
};

/**
 * Returns the algorithms that a key can verify. Its type and curve decide, so that no header can. Empty for unsupported
 * keys.
 */
export function algorithmsOf(key: KeyObject): readonly SignatureAlgorithm[] {
  switch (key.asymmetricKeyType) {
    case "rsa":
      return rsaAlgorithms;
    case "ec":
      return ecAlgorithms[key.asymmetricKeyDetails?.namedCurve ?? ""] ?? [];
    case "ed25519":
      return ["EdDSA", "Ed25519"];
    default:
      return [];
  }
}

/** Returns one of our keys as node:crypto takes it for this algorithm. Throws TypeError when they do not match. */
export function toCryptoInput(
  algorithm: SigningAlgorithm,
  key: KeyObject,
): { key: KeyObject; dsaEncoding?: "ieee-p1363"; padding?: number; saltLength?: number } {
  if (!algorithmsOf(key).includes(algorithm)) throw new TypeError(`the key is not one for ${algorithm}`);
  const { hash: _hash, isSlow: _isSlow, ...scheme }: AlgorithmParameters = algorithmParameters[algorithm];
  return { key, ...scheme };
}
