import type { Tx } from "../../database/index.ts";
import { deleteGroupRow } from "./group.store.ts";
import { type Group, groupAggregate } from "./group.ts";

/** Step: deletes a group that is held alone. What it was given is taken from it by the caller (`deletion`). */
export async function removeGroup(tx: Tx, group: Group): Promise<void> {
  const sequence = await deleteGroupRow(tx, group.groupId);
  if (sequence === undefined) return;
  tx.record({ type: "group.deleted", ...groupAggregate(group), sequence, payload: { name: group.name } });
}
