import type { Tx } from "../../database/index.ts";
import { membershipAggregate } from "../administrator-access/index.ts";
import { addMembership } from "./add-membership.ts";
import { changeRoles } from "./change-roles.ts";
import type { GainDeps } from "./gain.ts";
import { holdMembership } from "./membership.store.ts";

/** Step: makes a user owner of the instance, in addition to the user's other roles there. */
export async function ensureOwner(tx: Tx, deps: GainDeps, userId: string): Promise<void> {
  const scope = { level: "instance", resourceId: tx.instanceId, ownerId: tx.instanceId } as const;
  const membership = await holdMembership(tx, scope, userId);
  if (membership === undefined) {
    await addMembership(tx, deps, scope, { userId, roles: ["IAM_OWNER"] });
    return;
  }
  if (membership.roles.includes("IAM_OWNER")) return;
  const changed = await changeRoles(tx, deps, scope, {
    held: membership,
    userId,
    roles: [...membership.roles, "IAM_OWNER"],
    pendingRoles: membership.pendingRoles,
  });
  if (changed === undefined) return;
  tx.record({
    type: "membership.updated",
    ...membershipAggregate(scope, userId),
    sequence: changed.details.sequence,
    payload: { roles: changed.roles },
  });
}
