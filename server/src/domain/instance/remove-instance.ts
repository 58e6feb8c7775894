import type { Tx } from "../../database/index.ts";
import { updateInstanceRemoved } from "./instance.store.ts";
import { instanceAggregate } from "./instance.ts";
import { deleteAllInstanceDomains } from "./instance-domain.store.ts";

/**
 * Step: marks an instance as removed. Its hosts stop reaching it and are free for others; `deletion` removes its rows.
 */
export async function removeInstance(tx: Tx): Promise<void> {
  const sequence = await updateInstanceRemoved(tx);
  if (sequence === undefined) return;
  await deleteAllInstanceDomains(tx);
  tx.record({ type: "instance.deleted", ...instanceAggregate(tx.instanceId), sequence });
}
