export { callerOfToken, credentialEndOf, type IdentifiedBearer } from "./caller-of-token.ts";
export { type CheckedProof, createDpopVerifier, type DpopVerifier } from "./dpop-verifier.ts";
export { type BearerDeps, findPresentedToken } from "./find-presented-token.ts";
export { readAccessTokenClaims, readJwtId, readOwnJwt } from "./own-jwt.ts";
export { type PresentedToken, readTokenHeader } from "./presented-token.ts";
export { nonceLifetime, proofAlgorithms } from "./proof-rules.ts";
export { mayProveBy } from "./proven-key.ts";
export type { VerifiedToken } from "./verified-token.ts";
export { verifyAccessToken } from "./verify-access-token.ts";
