import { authorize, type Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { advanceGroup, holdGroup } from "./group.store.ts";
import { type Group, groupAbsence, groupAggregate } from "./group.ts";
import { deleteGroupUsers, listGroupIdsOfUser } from "./group-user.store.ts";

/** Removes users from a group; they lose its roles at once. Users who are not in it change nothing. */
export function removeUsersFromGroup(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly groupId: string; readonly userIds: readonly string[] },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const group = await holdGroup(tx, input.groupId, "alone");
    authorize(call, group, { permission: "group.user.delete", ...groupAbsence });
    return takeUsers(tx, group, [...new Set(input.userIds)]);
  });
}

/** Step: removes a user who is being deleted from all groups. */
export async function removeUserFromGroups(tx: Tx, userId: string): Promise<void> {
  for (const groupId of await listGroupIdsOfUser(tx, tx.instanceId, userId)) {
    const group = await holdGroup(tx, groupId, "alone");
    if (group !== undefined) await takeUsers(tx, group, [userId]);
  }
}

async function takeUsers(tx: Tx, group: Group, userIds: readonly string[]): Promise<Details> {
  const removed = await deleteGroupUsers(tx, group.groupId, userIds);
  if (removed.length === 0) return group.details;
  const { details } = (await advanceGroup(tx, group.groupId)) ?? group;
  const { sequence } = details;
  tx.record({ type: "group.users.removed", ...groupAggregate(group), sequence, payload: { userIds: removed } });
  return details;
}
