import { Fault } from "../../base/fault.ts";
import { authorize, type Call, requireCaller } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { endJobRow, findJob, holdJob } from "./bulk-job.store.ts";
import { type BulkJob, type BulkJobState, jobAggregate, scopeOf } from "./bulk-job.ts";

/**
 * Cancels a job: no row is done from then on, because each is settled only while the job runs. One that has ended stays
 * as it is.
 */
export function cancelBulkJob(
  deps: { readonly database: Database },
  call: Call,
  { jobId }: { readonly jobId: string },
): Promise<BulkJob> {
  return deps.database.change(call, async (tx) => {
    const found = await findJob(tx, tx.instanceId, jobId);
    authorize(call, found && scopeOf(found), {
      permission: "user.write",
      readPermission: "user.read",
      absent: "job.not_found",
      isBeyondLogin: true,
      isOwn: found?.creator.userId === requireCaller(call).userId,
    });
    await endJob(tx, { jobId, state: "canceled" });
    const job = await findJob(tx, tx.instanceId, jobId);
    if (job === undefined) throw new Fault("not_found", "job.not_found", { field: "id" });
    return job;
  });
}

/** Step: ends a job that has not ended, with the number of its results. */
export async function endJob(
  tx: Tx,
  end: { readonly jobId: string; readonly state: BulkJobState; readonly reason?: string },
): Promise<void> {
  if (!(await endJobRow(tx, end))) return;
  const job = await holdJob(tx, end.jobId);
  if (job === undefined) return;
  const { succeeded, failed, sequence } = job;
  tx.record({
    type: end.state === "canceled" ? "job.canceled" : "job.ended",
    ...jobAggregate(tx.instanceId, job),
    sequence,
    payload: { state: end.state, succeeded, failed, ...(end.reason !== undefined && { reason: end.reason }) },
  });
}
