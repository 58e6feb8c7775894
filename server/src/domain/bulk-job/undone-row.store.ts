import { type Reader, sql, type Tx } from "../../database/index.ts";

/** A job that ended with rows that were left undone. */
export interface UnclearedJob {
  readonly instanceId: string;
  readonly jobId: string;
}

/** Lists jobs of all instances that ended early, and whose rows are not deleted yet. */
export function listUnclearedJobs(reader: Reader, { limit }: { readonly limit: number }): Promise<UnclearedJob[]> {
  return reader.all(sql`select j.instance_id as "instanceId", j.job_id as "jobId" from bulk_jobs j
    where j.state in ('canceled', 'stopped') and j.is_cleared = 0 limit ${limit}`);
}

/**
 * Deletes some rows that a job left undone when it ended, and notes when there are no others. What became of users
 * stays. Returns how many there were.
 */
export async function clearUndoneRows(
  tx: Tx,
  { jobId, limit }: { readonly jobId: string; readonly limit: number },
): Promise<number> {
  const count = await tx.run(sql`delete from bulk_job_rows
    where instance_id = ${tx.instanceId} and job_id = ${jobId} and outcome is null and position in
      (select r.position from bulk_job_rows r where r.instance_id = ${tx.instanceId} and r.job_id = ${jobId}
        and r.outcome is null order by r.position limit ${limit})`);
  if (count < limit) {
    await tx.run(sql`update bulk_jobs set is_cleared = 1
      where instance_id = ${tx.instanceId} and job_id = ${jobId} and state in ('canceled', 'stopped')`);
  }
  return count;
}
