import { hash } from "node:crypto";

/**
 * Returns the left half of a token's hash in base64url, by the hash function of the signature's algorithm (OpenID
 * Connect Core §3.1.3.6).
 */
export function leftHalfHash(token: string, algorithm: string): string {
  // Ed25519 signs over SHA-512 (RFC 8032); OpenID Connect defines nothing for it, and libraries use SHA-512.
  const name = algorithm === "EdDSA" || algorithm === "Ed25519" ? "sha512" : `sha${algorithm.slice(-3)}`;
  const digest = hash(name, token, "buffer");
  return digest.subarray(0, digest.length / 2).toString("base64url");
}
