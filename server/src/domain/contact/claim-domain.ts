import type { Tx } from "../../database/index.ts";
import { listNamesInDomain } from "../login-name/index.ts";
import type { QueueDeps } from "../notification/index.ts";
import { type DomainClaim, putUnfinishedClaim, takeDomainAlone, takeFromClaimants } from "../organization/index.ts";
import { takeNames } from "./take-names.ts";

/** How many users with names in a domain are handled in one unit of work. */
export const usersAtOnce = 100;

/**
 * Step: an organization has become the owner of a domain, so usernames in it mean its users alone. Users of other
 * organizations with such a name get another login name, and are notified of what to sign in with from now on. Where
 * they are too many for one unit of work, the claim is marked as unfinished, and `finishClaim` goes on after the
 * commit.
 */
export async function claimDomain(tx: Tx, deps: QueueDeps, claim: DomainClaim): Promise<void> {
  takeDomainAlone(tx, claim.domain);
  await takeFromClaimants(tx, claim);
  const { users, next } = await listNamesInDomain(tx, claim, { after: "", limit: usersAtOnce });
  if (next !== undefined) await putUnfinishedClaim(tx, claim, { at: tx.now, after: "" });
  else await takeNames(tx, deps, { domain: claim.domain, users });
}
