import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { type Membership, membershipAggregate } from "../administrator-access/index.ts";
import { type AuthorizeDeps, isSelf } from "../user/index.ts";
import { changeRoles } from "./change-roles.ts";
import type { GainDeps } from "./gain.ts";
import { holdOffer, type OfferAnswer } from "./hold-offer.ts";

export interface AcceptDeps extends AuthorizeDeps, GainDeps {
  readonly database: Database;
  /** Step of a later module (`sign-out`): ends every session of the user except the one that stays. */
  readonly terminateOtherSessions: (
    tx: Tx,
    userId: string,
    staying: { readonly sessionId?: string | undefined },
  ) => Promise<void>;
}

/**
 * Accepts a position that another organization offered. `roles` are those that the user was shown: when others were
 * offered meanwhile, nothing is accepted. They take effect with the user's next request. The user's other sessions end,
 * because the organization at home could have opened them; the one in which they accept stays unless that holds for it
 * too.
 */
export function acceptAppointment(
  deps: AcceptDeps,
  call: Call,
  { roles: shown, ...answer }: OfferAnswer & { readonly roles: readonly string[] },
): Promise<Membership> {
  return deps.database.change(call, async (tx) => {
    const { scope, membership } = await holdOffer(tx, deps, answer);
    const offered = new Set(membership.pendingRoles);
    if (offered.symmetricDifference(new Set(shown)).size > 0) {
      throw new Fault("failed_precondition", "membership.offer_changed", { field: "roles" });
    }
    const { userId } = answer;
    const roles = [...membership.roles, ...offered];
    const accepted = await changeRoles(tx, deps, scope, {
      held: membership,
      userId,
      roles,
      pendingRoles: [],
      isAccepted: true,
    });
    if (accepted === undefined) throw new Fault("aborted", "membership.not_offered", { field: "resource" });
    tx.record({
      type: "membership.accepted",
      ...membershipAggregate(scope, userId),
      sequence: accepted.details.sequence,
      payload: { level: scope.level, resourceId: scope.resourceId, userId, roles },
    });
    // For a service account, an administrator accepts. The account has no sessions, and its tokens and keys belong to
    // its organization.
    const sessionId = isSelf(call, userId) ? call.caller?.sessionId : undefined;
    await deps.terminateOtherSessions(tx, userId, { sessionId });
    await deps.endPreparedSessions(tx, userId);
    return accepted;
  });
}
