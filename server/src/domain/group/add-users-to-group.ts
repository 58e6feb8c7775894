import { Fault } from "../../base/fault.ts";
import { authorize, type Call } from "../../call/index.ts";
import { changeRows, type Database, type Details } from "../../database/index.ts";
import { advanceGroup, findGroup, holdGroup } from "./group.store.ts";
import { groupAbsence, groupAggregate } from "./group.ts";
import { findUserOfTooManyGroups, holdUsersOf, insertGroupUsers } from "./group-user.store.ts";

// Of a user: their roles are looked for group by group in each token, introspection and UserInfo.
const mostGroups = 1000;

/**
 * Adds users of the group's organization to the group: all of them, or none if any is absent; the error names the first
 * absent user. Users who are in it already change nothing. A user who is in as many groups as a user may have is
 * refused.
 */
export function addUsersToGroup(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly groupId: string; readonly userIds: readonly string[] },
): Promise<Details> {
  return changeRows({ database: deps.database, call, asked: input.userIds.length }, async (tx) => {
    const { groupId, userIds } = input;
    const wanted = { permission: "group.user.write", ...groupAbsence };
    const found = await findGroup(tx, tx.instanceId, groupId);
    authorize(call, found, wanted);
    // The users are locked first, as when a user is deleted, so that the two cannot deadlock.
    const existing = await holdUsersOf(tx, found.organizationId, [...new Set(userIds)]);
    const group = await holdGroup(tx, groupId, "alone");
    authorize(call, group, wanted);
    const missing = userIds.findIndex((userId) => !existing.has(userId));
    if (missing >= 0) {
      throw new Fault("failed_precondition", "group.user_not_found", { field: `userIds[${missing}]` });
    }
    const added = await insertGroupUsers(tx, groupId, [...existing].sort());
    if (added.length === 0) return group.details;
    const full = await findUserOfTooManyGroups(tx, added, mostGroups);
    if (full !== undefined) {
      throw new Fault("failed_precondition", "field.too_many", {
        field: `userIds[${userIds.indexOf(full)}]`,
        values: { field: "groups", maximum: mostGroups },
      });
    }
    const changed = await advanceGroup(tx, groupId);
    const { sequence } = changed?.details ?? group.details;
    tx.record({ type: "group.users.added", ...groupAggregate(group), sequence, payload: { userIds: added } });
    return changed?.details ?? group.details;
  });
}
