import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { DatabaseUnavailable } from "../../database/index.ts";
import type { DomainClaim, DomainClaims } from "../organization/index.ts";
import { claimDomain } from "./claim-domain.ts";
import { type ClaimDeps, finishClaim } from "./finish-claim.ts";

/** Creates what operations on domains do with the users of other organizations. */
export const createDomainClaims = (deps: ClaimDeps): DomainClaims => ({
  begin: (tx, claim) => claimDomain(tx, deps, claim),
  finish: (call, claim) => finishOrLeave(deps, call, claim),
});

// The domain has its owner already, so the operation does not fail: a job does the rest.
async function finishOrLeave(deps: ClaimDeps, call: Call, claim: DomainClaim): Promise<void> {
  try {
    await finishClaim(deps, call, claim);
  } catch (error) {
    const isLeft = error instanceof DatabaseUnavailable || (error instanceof Fault && error.id === "request.too_many");
    if (!isLeft) throw error;
  }
}
