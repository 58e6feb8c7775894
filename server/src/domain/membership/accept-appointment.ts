import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { AuthorizeDeps } from "../user/index.ts";
import { holdOffer, type OfferAnswer } from "./hold-offer.ts";
import { replaceRoles } from "./membership.store.ts";
import { type Membership, membershipAggregate } from "./membership.ts";

/**
 * Accepts a position that another organization offered. `roles` are those that the user was shown: when others were
 * offered meanwhile, nothing is accepted. They take effect with the user's next request.
 */
export function acceptAppointment(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { roles: shown, ...answer }: OfferAnswer & { readonly roles: readonly string[] },
): Promise<Membership> {
  return deps.database.change(call, async (tx) => {
    const { place, membership } = await holdOffer(tx, deps, answer);
    const offered = new Set(membership.pendingRoles);
    if (offered.symmetricDifference(new Set(shown)).size > 0) {
      throw new Fault("failed_precondition", "membership.offer_changed", { field: "roles" });
    }
    const { userId } = answer;
    const roles = [...membership.roles, ...offered];
    const accepted = await replaceRoles(tx, place, { userId, roles, pendingRoles: [], isAccepted: true });
    if (accepted === undefined) throw new Fault("aborted", "membership.not_offered", { field: "resource" });
    tx.record({
      type: "membership.accepted",
      ...membershipAggregate(place, userId),
      sequence: accepted.details.sequence,
      payload: { level: place.level, resourceId: place.resourceId, userId, roles },
    });
    return accepted;
  });
}
