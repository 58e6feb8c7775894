import { setTimeout as wait } from "node:timers/promises";
import { minutes } from "../base/clock.ts";
import { type Database, deleteEnded, listEnded } from "../database/index.ts";
import type { Counts, Job, JobContext } from "./job.ts";
import { type Retained, retention } from "./retention.ts";

export interface ExpireDeps {
  readonly database: Database;
}

// Measured: blocks SQLite's only writer for 2 ms; larger batches also take longer per row.
const batchSize = 200;

/** Removes expired records in small batches until none are left. */
export const expire = (deps: ExpireDeps): Job => ({
  name: "expire",
  every: minutes(1),
  run: async (context) => {
    const counts: Record<string, number> = {};
    for (const retained of retention) counts[retained.records] = await expireRecords(deps, retained, context);
    return counts satisfies Counts;
  },
});

async function expireRecords({ database }: ExpireDeps, retained: Retained, context: JobContext): Promise<number> {
  const { now, signal } = context;
  const rows = retained.ended(now - retained.keep);
  let total = 0;
  while (!signal.aborted) {
    const started = performance.now();
    let count = 0;
    for (const [instanceId, positions] of await listEnded(database.read, rows, batchSize)) {
      const call = { instanceId, requestId: "job expire", now, language: "en" } as const;
      count += await database.touch(call, (tx) => deleteEnded(tx, rows, positions));
    }
    total += count;
    if (count < batchSize) break;
    // Waits as long as the batch took, so that this work never takes more than half of the writer's time.
    await wait(performance.now() - started);
  }
  return total;
}
