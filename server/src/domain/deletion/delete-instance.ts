import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeInstance, callIn, removeInstance } from "../instance/index.ts";
import { reachMilestone } from "../milestone/index.ts";
import { deleteInstanceRow, deleteRowsOfInstance, listDeletedInstances, tablesOfInstances } from "./instance.store.ts";

/** What removing the rows of instances needs. */
export interface PurgeDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Deletes an instance with everything in it: for system users only. The first commit disconnects and frees its hosts;
 * its rows are deleted afterwards, table by table. `purgeDeletedInstances` removes whatever a crash leaves behind.
 */
export async function deleteInstance(
  deps: PurgeDeps,
  call: Call,
  input: { readonly instanceId: string },
): Promise<{ readonly deletedAt: number }> {
  const inside = callIn(call, input.instanceId);
  await deps.database.change(inside, async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.instance.delete" });
    await removeInstance(tx);
    await reachMilestone(tx, "instance_deleted");
  });
  await purge(deps, inside);
  return { deletedAt: call.now };
}

/** Removes the rows of deleted instances, for the job that cleans up. Returns how many instances were completed. */
export async function purgeDeletedInstances(deps: PurgeDeps, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (const instanceId of await listDeletedInstances(deps.database.read)) {
    const isDone = await purge(deps, { instanceId, requestId: "purge", now: deps.clock(), language: "en" }, signal);
    if (isDone) count++;
  }
  return count;
}

// Measured: blocks the one writer of SQLite for 2 ms; larger batches also take longer for each row.
const batchSize = 200;

async function purge({ database }: PurgeDeps, call: Call, signal?: AbortSignal): Promise<boolean> {
  for (const table of tablesOfInstances) {
    let count: number;
    do {
      if (signal?.aborted) return false;
      count = await database.touch(call, (tx) => deleteRowsOfInstance(tx, table, batchSize));
    } while (count === batchSize);
  }
  await database.touch(call, deleteInstanceRow);
  return true;
}
