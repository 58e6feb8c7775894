import { minutes, seconds } from "../base/clock.ts";
import type { SignatureAlgorithm } from "../base/jose/index.ts";

/** Accepted signature algorithms of proofs; discovery lists them. All are asymmetric (RFC 9449 §4.2). */
export const proofAlgorithms = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "RS256",
  "PS256",
] as const satisfies readonly SignatureAlgorithm[];

/** Maximal age of a proof without one of our nonces (RFC 9449 §11.1), in milliseconds. */
export const maximumProofAge = minutes(5);
/** How far the clock of a client may be ahead, in milliseconds. */
export const proofClockSkew = seconds(60);
/** Longest lifetime of a nonce, in milliseconds. A new one is issued after half of it. */
export const nonceLifetime = minutes(5);
