import { JwtRefused, type SignatureAlgorithm, type VerifiedDpopProof, verifyDpopProof } from "../base/jose/index.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { RotatingNonces } from "../base/rotating-nonce.ts";
import type { Call } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import { useAssertion } from "../domain/token/index.ts";
import { maximumProofAge, proofAlgorithms, proofClockSkew } from "./proof-rules.ts";

/** A proof and the request that contained it. */
interface PresentedProof {
  /** Value of the `DPoP` header. */
  readonly proof: string;
  readonly method: string;
  /** Address of the request at our origin, without query. */
  readonly url: string;
  /** The access token beside the proof; absent at endpoints that issue tokens. */
  readonly accessToken: string | undefined;
}

/** A proof that is valid, unless it was used before. */
export interface CheckedProof {
  /** Thumbprint of the sender's key. */
  readonly thumbprint: string;
  readonly algorithm: SignatureAlgorithm;
  /**
   * Marks the proof as used on every node; throws `invalid_dpop_proof` when it was used before. What the proof protects
   * is only handed out afterwards.
   */
  spend(): Promise<void>;
}

/** Verifies proofs of possession (RFC 9449). */
export interface DpopVerifier {
  /**
   * Checks a proof without keeping it: keeping takes storage, which is for senders that proved themselves. Endpoints
   * that issue tokens require one of our nonces, so that proofs cannot be made in advance. Where an access token is
   * presented, a nonce is optional, but checked.
   * Throws `invalid_dpop_proof` and `use_dpop_nonce`.
   */
  check(call: Call, presented: PresentedProof): Promise<CheckedProof>;
  /** Returns the current nonce for clients of the instance. */
  nonce(call: Call): string;
}

/** Creates the only verifier of proofs. */
export function createDpopVerifier(deps: {
  readonly database: Database;
  readonly nonces: RotatingNonces;
}): DpopVerifier {
  return {
    nonce: ({ instanceId, now }) => deps.nonces.current(instanceId, now),
    check: async (call, presented) => {
      const { proof, ...request } = presented;
      const verified = await verifyDpopProof(proof, { ...request, algorithms: proofAlgorithms }).catch(refuse);
      const expiresAt = checkFreshness(deps.nonces, call, presented, verified);
      const { thumbprint, algorithm, replayKey } = verified;
      const used = { kind: "dpop_proof", issuer: thumbprint, replayKey, expiresAt } as const;
      const spend = async (): Promise<void> => {
        if (await useAssertion(deps, call, used)) return;
        throw new OAuthError("invalid_dpop_proof", "the proof was used before");
      };
      return { thumbprint, algorithm, spend };
    },
  };
}

/**
 * Returns until when the proof could be presented again. One of our nonces proves its age, whatever the clock of the
 * client (§4.3, point 11).
 */
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
