import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { type AdministratorScope, type Membership, membershipAggregate } from "../administrator-access/index.ts";
import { followGain, type GainDeps } from "./gain.ts";
import { insertMembership } from "./given-role.store.ts";
import { refuseTooManyPositions } from "./refuse-too-many-positions.ts";

/**
 * Step: makes a user administrator of an existing resource, or offers it (`isPending`): then it has no effect until the
 * user accepts. `isAccepted`: by the user, who gives it. Follows what the user gains. The caller has authorized it.
 */
export async function addMembership(
  tx: Tx,
  deps: GainDeps,
  scope: AdministratorScope,
  member: {
    readonly userId: string;
    readonly roles: readonly string[];
    readonly isPending?: boolean;
    readonly isAccepted?: boolean;
  },
): Promise<Membership> {
  if (member.isPending !== true) await refuseTooManyPositions(tx, scope, member.userId);
  const aggregate = membershipAggregate(scope, member.userId);
  const roles = [...new Set(member.roles)];
  const membership = await insertMembership(tx, scope, {
    userId: member.userId,
    roles: member.isPending === true ? [] : roles,
    pendingRoles: member.isPending === true ? roles : [],
    aggregateId: aggregate.aggregateId,
    isAccepted: member.isAccepted === true,
  });
  if (membership === undefined) throw new Fault("already_exists", "membership.exists", { field: "userId" });
  tx.record({
    type: member.isPending === true ? "membership.offered" : "membership.created",
    ...aggregate,
    sequence: membership.details.sequence,
    payload: { level: scope.level, resourceId: scope.resourceId, userId: member.userId, roles },
  });
  if (member.isPending !== true) await followGain(tx, deps, member.userId);
  return membership;
}
