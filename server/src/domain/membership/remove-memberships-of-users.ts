import type { Tx } from "../../database/index.ts";
import { listMembershipsOfUsers } from "./membership.store.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";
import { removeMembership } from "./remove-membership.ts";

// Each id is a parameter of a statement; SQLite allows 32,766 of them.
const chunk = 10_000;

/**
 * Step: removes all positions of users who are being deleted. Refused when the instance would be left without an owner.
 */
export async function removeMembershipsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const held: Awaited<ReturnType<typeof listMembershipsOfUsers>> = [];
  for (let start = 0; start < userIds.length; start += chunk) {
    held.push(...(await listMembershipsOfUsers(tx, userIds.slice(start, start + chunk))));
  }
  const owners = held.filter(({ isOwner }) => isOwner === 1).map(({ userId }) => userId);
  if (owners.length > 0) await refuseLastOwner(tx, owners);
  for (const { userId, level, resourceId, organizationId } of held) {
    const ownerId = level === "instance" ? tx.instanceId : organizationId;
    await removeMembership(tx, { level, resourceId, ownerId }, userId);
  }
}
