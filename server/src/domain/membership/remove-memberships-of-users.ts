import { performAll, type Tx } from "../../database/index.ts";
import { listInstanceMemberships, listMembershipsBelowInstance } from "./membership.store.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";
import { removeMemberships } from "./remove-membership.ts";

/**
 * Step: removes all positions of users who are being deleted. Refused when the instance would be left without an owner.
 * Those at the instance are removed last and together: otherwise, of two owners, each would count as remaining.
 */
export async function removeMembershipsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const atInstance = await listInstanceMemberships(tx, userIds);
  const owners = atInstance.filter(({ isOwner }) => isOwner === 1).map(({ userId }) => userId);
  if (owners.length > 0) await refuseLastOwner(tx, owners);
  await performAll(tx, {
    list: (own, limit) => listMembershipsBelowInstance(own, userIds, limit),
    perform: removeMemberships,
  });
  await removeMemberships(tx, atInstance);
}
