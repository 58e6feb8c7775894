import { minutes, seconds } from "../../base/clock.ts";
import type { SignatureAlgorithm } from "../../base/jose/index.ts";

/** Signatures of proofs that we take; discovery lists them. All are asymmetric (RFC 9449 §4.2). */
export const proofAlgorithms = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "RS256",
  "PS256",
] as const satisfies readonly SignatureAlgorithm[];

/** How old a proof without a nonce of ours may be (RFC 9449 §11.1), in milliseconds. */
export const maximumProofAge = minutes(5);
/** How far the clock of a client may be ahead, in milliseconds. */
export const proofClockSkew = seconds(60);
/** Longest life of a nonce, in milliseconds. A new one comes after half of it. */
export const nonceLifetime = minutes(5);
