import { authorize, authorizeDeletion, holdForCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findGroup, holdGroup } from "./group.store.ts";
import { type Group, groupAbsence } from "./group.ts";

/** Returns the group, locked exclusively, for a caller with the permission there. */
export function holdAuthorizedGroup(tx: Tx, groupId: string, permission: string): Promise<Group> {
  return holdForCaller(tx.call, permission, holdable(tx, groupId), (group) => {
    authorize(tx.call, group, { permission, ...groupAbsence });
    return group;
  });
}

/** Returns the group, locked exclusively, for a caller who may delete it; undefined when there is none to delete. */
export function holdGroupToDelete(tx: Tx, groupId: string): Promise<Group | undefined> {
  const permission = "group.delete";
  return holdForCaller(tx.call, permission, holdable(tx, groupId), (group) =>
    authorizeDeletion(tx.call, group, { permission, ...groupAbsence }) ? group : undefined,
  );
}

const holdable = (tx: Tx, groupId: string) => ({
  find: () => findGroup(tx, tx.instanceId, groupId),
  hold: () => holdGroup(tx, groupId, "alone"),
});
