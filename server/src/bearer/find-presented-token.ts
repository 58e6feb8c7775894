import type { Call } from "../call/index.ts";
import type { DpopVerifier } from "./dpop-verifier.ts";
import type { PresentedToken } from "./presented-token.ts";
import type { VerifiedToken } from "./verified-token.ts";
import { type VerifyDeps, verifyAccessToken } from "./verify-access-token.ts";

export interface BearerDeps extends VerifyDeps {
  /** Verifies proofs of possession. */
  readonly dpop: DpopVerifier;
}

/**
 * Returns the access token of a request, when its sender may use it: a bearer token, or a bound token together with the
 * proof of its key (RFC 9449 §7.1). A bound token as Bearer is invalid, and so is every other token with a proof. A
 * proof is spent when its token is valid, so that strangers leave nothing. Throws the errors of the proof.
 */
export async function findPresentedToken(
  deps: BearerDeps,
  call: Call,
  { token, proof: presented }: PresentedToken,
): Promise<VerifiedToken | undefined> {
  if (presented === undefined) return verifyAccessToken(deps, call, token);
  const { proof, method, path, spentAt } = presented;
  const url = (await deps.originOf(call.instanceId)) + path;
  const checked = await deps.dpop.check(spentAt === undefined ? call : { ...call, now: spentAt }, {
    proof,
    method,
    url,
    accessToken: token,
  });
  const found = await verifyAccessToken(deps, call, token, checked);
  if (found !== undefined && spentAt === undefined) await checked.spend();
  return found;
}
