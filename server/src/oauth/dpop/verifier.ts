import { JwtRefused, type VerifiedDpopProof, verifyDpopProof } from "../../base/jose/index.ts";
import type { RotatingNonces } from "../../base/rotating-nonce.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { useAssertion } from "../../domain/token/index.ts";
import { OAuthError } from "../error.ts";
import { maximumProofAge, proofAlgorithms, proofClockSkew } from "./proof-rules.ts";

/** A proof and the request that it came with. */
export interface PresentedProof {
  /** Value of the `DPoP` header. */
  readonly proof: string;
  readonly method: string;
  /** Address of the request at our origin, without query. */
  readonly url: string;
  /** The access token beside it; absent at endpoints that issue tokens. */
  readonly accessToken: string | undefined;
}

/** Proofs of possession (RFC 9449). */
export interface DpopVerifier {
  /**
   * Thumbprint of the key that the sender has. Takes the proof as used, on every node. Where tokens are issued a nonce of ours is demanded, so
   * that nobody can make proofs ahead; where an access token is presented it is checked when it is there.
   * Throws `invalid_dpop_proof` and `use_dpop_nonce`.
   */
  verify(call: Call, presented: PresentedProof): Promise<string>;
  /** The nonce that clients of the instance should use now. */
  nonce(call: Call): string;
}

/** Makes the one place that believes proofs. */
export function createDpopVerifier(deps: {
  readonly database: Database;
  readonly nonces: RotatingNonces;
}): DpopVerifier {
  return {
    nonce: ({ instanceId, now }) => deps.nonces.current(instanceId, now),
    verify: async (call, presented) => {
      const { proof, ...request } = presented;
      const verified = await verifyDpopProof(proof, { ...request, algorithms: proofAlgorithms }).catch(refuse);
      const expiresAt = checkFreshness(deps.nonces, call, presented, verified);
      const { thumbprint, replayKey } = verified;
      const used = { kind: "dpop_proof", issuer: thumbprint, replayKey, expiresAt } as const;
      if (!(await useAssertion(deps, call, used)))
        throw new OAuthError("invalid_dpop_proof", "the proof was used before");
      return thumbprint;
    },
  };
}

/** Until when the proof could be presented again. A nonce of ours says when it was made, whatever the clock of the client (§4.3, point 11). */
function checkFreshness(
  nonces: RotatingNonces,
  { instanceId, now }: Call,
  { accessToken }: PresentedProof,
  { nonce, issuedAt }: VerifiedDpopProof,
): number {
  if (nonce !== undefined) {
    const until = nonces.validUntil(nonce, instanceId, now);
    if (until === undefined)
      throw new OAuthError("use_dpop_nonce", "the nonce of the proof is not one of ours, or too old");
    return until;
  }
  if (accessToken === undefined) throw new OAuthError("use_dpop_nonce", "the proof must have the nonce of this answer");
  if (issuedAt > now + proofClockSkew) throw new OAuthError("invalid_dpop_proof", "the proof was made in the future");
  if (issuedAt + maximumProofAge <= now) throw new OAuthError("invalid_dpop_proof", "the proof is too old");
  return issuedAt + maximumProofAge;
}

function refuse(error: unknown): never {
  if (!(error instanceof JwtRefused)) throw error;
  throw new OAuthError("invalid_dpop_proof", "the proof is malformed, not for this request or not signed by its key", {
    cause: error,
  });
}
