import type { Call } from "../../call/index.ts";
import { changeRows, type Database, type Details, performAll, type Tx } from "../../database/index.ts";
import { holdAuthorizedGroup } from "./authorize-group.ts";
import { advanceGroup, holdGroup } from "./group.store.ts";
import { type Group, groupAggregate } from "./group.ts";
import { deleteGroupUsers, listGroupsOfUsers } from "./group-user.store.ts";

/** Removes users from a group; they lose its roles at once. Users who are not in it change nothing. */
export function removeUsersFromGroup(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly groupId: string; readonly userIds: readonly string[] },
): Promise<Details> {
  return changeRows({ database: deps.database, call, asked: input.userIds.length }, async (tx) => {
    const group = await holdAuthorizedGroup(tx, input.groupId, "group.user.delete");
    return takeUsers(tx, group, [...new Set(input.userIds)]);
  });
}

/** Step: removes users who are being deleted from all groups. */
export function removeUsersFromGroups(tx: Tx, userIds: readonly string[]): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => listGroupsOfUsers(own, userIds, limit),
    perform: async (own, found) => {
      for (const [groupId, inGroup] of Map.groupBy(found, (each) => each.groupId)) {
        const group = await holdGroup(own, groupId, "alone");
        if (group === undefined) continue;
        await takeUsers(
          own,
          group,
          inGroup.map(({ userId }) => userId),
        );
      }
    },
  });
}

async function takeUsers(tx: Tx, group: Group, userIds: readonly string[]): Promise<Details> {
  const removed = await deleteGroupUsers(tx, group.groupId, userIds);
  if (removed.length === 0) return group.details;
  const { details } = (await advanceGroup(tx, group.groupId)) ?? group;
  const { sequence } = details;
  tx.record({ type: "group.users.removed", ...groupAggregate(group), sequence, payload: { userIds: removed } });
  return details;
}
