import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { endQueue } from "./delivery.store.ts";
import { listExecutionIdsOfTarget } from "./execution.store.ts";
import { takeOutOfExecution } from "./set-execution.ts";
import { deleteTargetRow } from "./target.store.ts";
import { targetAggregate } from "./target.ts";
import { deleteKeysOfTarget } from "./target-key.store.ts";

/**
 * Deletes a target and takes it out of all executions. Nothing is delivered to it from now on; the next visit to its
 * queue discards pending deliveries. Returns when it was deleted; undefined when there is no such target.
 */
export async function deleteTarget(
  deps: { readonly database: Database },
  call: Call,
  { targetId }: { readonly targetId: string },
): Promise<number | undefined> {
  return deps.database.change(call, async (tx) => {
    // First, so that no execution can add the target from here on.
    const sequence = await deleteTargetRow(tx, targetId);
    if (sequence === undefined) return undefined;
    tx.record({ type: "target.deleted", ...targetAggregate(tx.instanceId, targetId), sequence: sequence + 1 });
    await deleteKeysOfTarget(tx, targetId);
    for (const executionId of await listExecutionIdsOfTarget(tx, targetId)) {
      await takeOutOfExecution(tx, executionId, targetId);
    }
    await endQueue(tx, targetId);
    return tx.now;
  });
}
