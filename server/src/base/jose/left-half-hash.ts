import { hash } from "node:crypto";

/** Left half of a token's hash, with the hash function of the signature's algorithm, in base64url (OpenID Connect Core §3.1.3.6). */
export function leftHalfHash(token: string, algorithm: string): string {
  // Ed25519 signs over SHA-512 (RFC 8032); OpenID Connect defines nothing for it, and libraries take SHA-512.
  const name = algorithm === "EdDSA" || algorithm === "Ed25519" ? "sha512" : `sha${algorithm.slice(-3)}`;
  const digest = hash(name, token, "buffer");
  return digest.subarray(0, digest.length / 2).toString("base64url");
}
