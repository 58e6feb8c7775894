import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeMembership, checkAppointment, checkRoles } from "./authorize-membership.ts";
import { findMembership, replaceRoles } from "./membership.store.ts";
import { type AdministeredResource, type Membership, membershipAggregate } from "./membership.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";

/** Replaces the roles of an administrator. The current roles are accepted and change nothing. */
export function updateAdministrator(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly resource: AdministeredResource; readonly roles: readonly string[] },
): Promise<Membership> {
  return deps.database.change(call, async (tx) => {
    const appointer = await authorizeMembership(tx, call, input.resource, "write");
    const { place } = appointer;
    checkRoles(input.roles, place.level);
    const membership = await findMembership(tx, place, input.userId);
    if (membership === undefined) throw new Fault("not_found", "membership.not_found", { field: "userId" });
    const held = new Set(membership.roles);
    const wanted = new Set(input.roles);
    const difference = held.symmetricDifference(wanted);
    if (difference.size === 0) return membership;
    checkAppointment(appointer, difference);
    if (held.has("IAM_OWNER") && !wanted.has("IAM_OWNER")) await refuseLastOwner(tx, [input.userId]);
    const changed = await replaceRoles(tx, place, { userId: input.userId, roles: [...wanted] });
    if (changed === undefined) throw new Fault("aborted", "membership.not_found", { field: "userId" });
    tx.record({
      type: "membership.updated",
      ...membershipAggregate(place, input.userId),
      sequence: changed.details.sequence,
      payload: { roles: changed.roles },
    });
    return changed;
  });
}
