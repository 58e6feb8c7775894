import { setTimeout as wait } from "node:timers/promises";
import { minutes } from "../base/clock.ts";
import type { Database } from "../database/index.ts";
import { clearUndoneRows, listUnclearedJobs, type UnclearedJob } from "../domain/bulk-job/index.ts";
import type { Job, JobContext } from "./job.ts";

export interface ClearBulkJobsDeps {
  readonly database: Database;
}

// As in the removal of expired records.
const batchSize = 200;
const jobsAtOnce = 100;

/** Deletes, in small batches, the rows that bulk jobs left undone when they were canceled or stopped. */
export const clearBulkJobs = (deps: ClearBulkJobsDeps): Job => ({
  name: "undone_job_rows",
  every: minutes(1),
  run: async (context) => {
    let rows = 0;
    while (!context.signal.aborted) {
      const jobs = await listUnclearedJobs(deps.database.read, { limit: jobsAtOnce });
      for (const job of jobs) rows += await clearJob(deps, job, context);
      if (jobs.length < jobsAtOnce) break;
    }
    return { rows };
  },
});

async function clearJob(
  { database }: ClearBulkJobsDeps,
  { instanceId, jobId }: UnclearedJob,
  { now, signal }: JobContext,
): Promise<number> {
  const call = { instanceId, requestId: "job undone_job_rows", now, language: "en" } as const;
  let rows = 0;
  while (!signal.aborted) {
    const started = performance.now();
    const count = await database.touch(call, (tx) => clearUndoneRows(tx, { jobId, limit: batchSize }));
    rows += count;
    if (count < batchSize) break;
    // Waits as long as the batch took, so that this work never takes more than half of the writer's time.
    await wait(performance.now() - started);
  }
  return rows;
}
