import type { Tx } from "../../database/index.ts";
import { deleteGroupRow } from "./group.store.ts";
import { type Group, groupAggregate } from "./group.ts";

/** Step: deletes an exclusively locked group. The caller removes what was assigned to it (`deletion`). */
export async function removeGroup(tx: Tx, group: Group): Promise<void> {
  const sequence = await deleteGroupRow(tx, group.groupId);
  if (sequence === undefined) return;
  tx.record({ type: "group.deleted", ...groupAggregate(group), sequence, payload: { name: group.name } });
}
