import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  type AdministeredResource,
  authorizeMembership,
  checkAppointment,
  checkRoles,
  holdAppointee,
  type Membership,
  membershipAggregate,
  type ResolvedAdministratorScope,
} from "../administrator-access/index.ts";
import { changeRoles } from "./change-roles.ts";
import type { GainDeps } from "./gain.ts";
import { holdGiven } from "./hold-given.ts";
import { findRoles, holdMembership } from "./membership.store.ts";
import { isAcceptedByGiving, needsAcceptance } from "./needs-acceptance.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";
import { type OfferDeps, tellOfAppointment } from "./tell-of-appointment.ts";

const hasAllRoles = async (
  tx: Tx,
  scope: ResolvedAdministratorScope,
  { userId, roles }: { readonly userId: string; readonly roles: readonly string[] },
): Promise<boolean> => new Set(roles).isSubsetOf(new Set((await findRoles(tx, scope, userId)).roles));

/**
 * Replaces the roles of an administrator. The current roles are accepted and change nothing. Where an appointment needs
 * acceptance, roles that are new wait for it, and those that the user has keep their effect.
 */
export function updateAdministrator(
  deps: OfferDeps & GainDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly resource: AdministeredResource; readonly roles: readonly string[] },
): Promise<Membership> {
  return deps.database.change(call, async (tx) => {
    const appointer = await authorizeMembership(tx, call, input.resource, "write");
    const { scope } = appointer;
    checkRoles(input.roles, scope.level);
    // What only takes roles waits here: others could come first each time.
    const gives = scope.level === "project_grant" && !(await hasAllRoles(tx, scope, input));
    const appointee = await (gives ? holdGiven(tx, scope, input.userId) : holdAppointee(tx, input.userId));
    const membership = appointee && (await holdMembership(tx, scope, input.userId));
    if (appointee === undefined || membership === undefined)
      throw new Fault("not_found", "membership.not_found", { field: "userId" });
    const held = new Set(membership.roles);
    const pending = new Set(membership.pendingRoles);
    const wanted = new Set(input.roles);
    const isOffer = needsAcceptance(call, appointer, appointee);
    const roles = isOffer ? wanted.intersection(held) : wanted;
    const pendingRoles = wanted.difference(roles);
    const difference = held.symmetricDifference(roles).union(pending.symmetricDifference(pendingRoles));
    if (difference.size === 0) return membership;
    checkAppointment(appointer, difference);
    if (held.has("IAM_OWNER") && !wanted.has("IAM_OWNER")) await refuseLastOwner(tx, [input.userId]);
    const changed = await changeRoles(tx, deps, scope, {
      held: membership,
      userId: input.userId,
      roles: [...roles],
      pendingRoles: [...pendingRoles],
      isAccepted: !roles.isSubsetOf(held) && isAcceptedByGiving(call, appointer, appointee),
    });
    if (changed === undefined) throw new Fault("aborted", "membership.not_found", { field: "userId" });
    tx.record({
      type: "membership.updated",
      ...membershipAggregate(scope, input.userId),
      sequence: changed.details.sequence,
      payload: { roles: changed.roles, ...(isOffer && { pendingRoles: changed.pendingRoles }) },
    });
    if (!pendingRoles.isSubsetOf(pending)) await tellOfAppointment(tx, deps, appointer, input.userId);
    return changed;
  });
}
