export type { SignatureAlgorithm, SigningAlgorithm } from "./algorithm.ts";
export { maximumTokenLength } from "./compact.ts";
export { jwkThumbprint, type PublicJwk, storedJwkThumbprint, toPublicJwk } from "./jwk.ts";
export { leftHalfHash } from "./left-half-hash.ts";
export { importPublicKey, type PublicKey, toPublicPem } from "./public-key.ts";
export { createPublishedKeys, type PublishedKeys } from "./published-keys.ts";
export { type JwtRefusal, JwtRefused } from "./refusal.ts";
export { generateRsaKeyPair, rsaKeyPairKind } from "./rsa-key-pair.ts";
export { createSigningKey, type JwtType, type SigningKey, signJwt } from "./sign.ts";
export { parseStrictObject } from "./strict-json.ts";
export {
  type Assertion,
  type AssertionRules,
  parseAssertion,
  type VerifiedAssertion,
  verifyAssertion,
} from "./verify-assertion.ts";
export { type DpopProofRules, type VerifiedDpopProof, verifyDpopProof } from "./verify-dpop-proof.ts";
export {
  createVerificationKey,
  type OwnClaims,
  type OwnJwtRules,
  type VerificationKey,
  verifyOwnJwt,
} from "./verify-own.ts";
