import { deleteAll, type EndedRows, join, type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { BulkJob, BulkJobRow, BulkJobState, RowOutcome } from "./bulk-job.ts";
import { type JobRow, jobColumns, toBulkJob } from "./bulk-job-row.ts";

/** Inserts a job with its users. */
export async function insertJob(tx: Tx, job: BulkJob, userIds: readonly string[]): Promise<void> {
  const { creator, action, ...row } = job;
  const { kind, ...given } = action;
  tx.write(sql`insert into bulk_jobs (instance_id, job_id, organization_id, creator_id, creator, action, arguments, is_dry_run,
      state, total, sequence, created_at, changed_at, token_id)
    values (${tx.instanceId}, ${row.jobId}, ${row.organizationId}, ${creator.userId}, ${JSON.stringify(creator)}, ${kind},
      ${JSON.stringify(given)}, ${row.isDryRun ? 1 : 0}, ${row.state}, ${row.total}, ${row.sequence}, ${tx.now}, ${tx.now},
      ${creator.token?.id})`);
  for (let start = 0; start < userIds.length; start += rowsAtOnce) {
    const values = userIds
      .slice(start, start + rowsAtOnce)
      .map((userId, index) => sql`(${tx.instanceId}, ${row.jobId}, ${start + index + 1}, ${userId}, ${tx.now})`);
    tx.write(sql`insert into bulk_job_rows (instance_id, job_id, position, user_id, created_at)
      values ${join(values, ", ")}`);
  }
}

const rowsAtOnce = 500;

/** Counts the jobs of an organization that have not ended, and those of an instance beside the first of each. */
export async function countUnfinished(
  tx: Tx,
  organizationId: string,
): Promise<{ readonly ofOrganization: number; readonly besideFirsts: number }> {
  const row = await tx.maybe<{ ofOrganization: number; besideFirsts: number }>(sql`select
      (select count(*) from bulk_jobs j where j.instance_id = ${tx.instanceId} and j.organization_id = ${organizationId}
        and j.state in ('queued', 'running')) as "ofOrganization",
      (select count(*) - count(distinct j.organization_id) from bulk_jobs j where j.instance_id = ${tx.instanceId}
        and j.state in ('queued', 'running')) as "besideFirsts"`);
  return { ofOrganization: Number(row?.ofOrganization ?? 0), besideFirsts: Number(row?.besideFirsts ?? 0) };
}

/** Finds a job, for callers that decide themselves what may be shown. */
export async function findJob(reader: Reader, instanceId: string, jobId: string): Promise<BulkJob | undefined> {
  const row = await reader.maybe<JobRow>(sql`select ${jobColumns} from bulk_jobs j
    where j.instance_id = ${instanceId} and j.job_id = ${jobId}`);
  return row && toBulkJob(row);
}

/** Returns a job, locked until the unit of work ends. */
export async function holdJob(tx: Tx, jobId: string): Promise<BulkJob | undefined> {
  const row = await tx.maybe<JobRow>(sql`select ${jobColumns} from bulk_jobs j
    where j.instance_id = ${tx.instanceId} and j.job_id = ${jobId} ${rowLock(tx, "alone")}`);
  return row && toBulkJob(row);
}

/** Ends a job that has not ended. Returns whether it had not. */
export async function endJobRow(
  tx: Tx,
  { jobId, state, reason }: { readonly jobId: string; readonly state: BulkJobState; readonly reason?: string },
): Promise<boolean> {
  const count = await tx.run(sql`update bulk_jobs set state = ${state}, reason = ${reason}, sequence = sequence + 1,
      changed_at = ${tx.now}, ended_at = ${tx.now}, claimed_by = '', claimed_until = 0
    where instance_id = ${tx.instanceId} and job_id = ${jobId} and state in ('queued', 'running')`);
  return count === 1;
}

/** Lists rows without an outcome behind a position, in their order. */
export function listPendingRows(
  reader: Reader,
  instanceId: string,
  { jobId, after, limit }: { readonly jobId: string; readonly after: number; readonly limit: number },
): Promise<BulkJobRow[]> {
  return reader.all(sql`select position, user_id as "userId" from bulk_job_rows
    where instance_id = ${instanceId} and job_id = ${jobId} and outcome is null and position > ${after}
    order by position limit ${limit}`);
}

/** What decided a row. */
export interface Settlement {
  readonly jobId: string;
  readonly position: number;
  /** Names the try that decided it. */
  readonly attempt: string;
  readonly outcome: RowOutcome;
  readonly error?: { readonly id: string; readonly message: string } | undefined;
}

/** Writes the outcome of a row that has none. Returns whether it had none. */
export async function putOutcome(tx: Tx, { jobId, position, attempt, outcome, error }: Settlement): Promise<boolean> {
  const count = await tx.run(sql`update bulk_job_rows set outcome = ${outcome}, attempt = ${attempt},
      error_id = ${error?.id}, error_message = ${error?.message}, settled_at = ${tx.now}
    where instance_id = ${tx.instanceId} and job_id = ${jobId} and position = ${position} and outcome is null`);
  return count === 1;
}

/** Counts an outcome in its job. Returns whether the job is running. */
export async function countOutcome(
  tx: Tx,
  { jobId, outcome }: Pick<Settlement, "jobId" | "outcome">,
): Promise<boolean> {
  const column = outcome === "succeeded" ? text("succeeded") : text("failed");
  const count = await tx.run(sql`update bulk_jobs set ${column} = ${column} + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and job_id = ${jobId} and state = 'running'`);
  return count === 1;
}

/** Whether this try decided the row. */
export async function isSettledBy(
  tx: Tx,
  { jobId, position, attempt }: Pick<Settlement, "jobId" | "position" | "attempt">,
): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from bulk_job_rows
    where instance_id = ${tx.instanceId} and job_id = ${jobId} and position = ${position} and attempt = ${attempt}`);
  return row !== undefined;
}

/** Step: deletes the jobs of an organization. */
export async function deleteJobsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await deleteAll(tx, {
    table: text("bulk_job_rows"),
    where: sql`instance_id = ${tx.instanceId} and job_id in (select job_id from bulk_jobs
      where instance_id = ${tx.instanceId} and organization_id = ${organizationId})`,
  });
  await deleteAll(tx, {
    table: text("bulk_jobs"),
    where: sql`instance_id = ${tx.instanceId} and organization_id = ${organizationId}`,
  });
}

/** Jobs that were created before the instant. */
export const formerJobs = (before: number): EndedRows => ({
  table: text("bulk_jobs"),
  where: () => sql`created_at < ${before}`,
});

/** Rows of such jobs. */
export const formerJobRows = (before: number): EndedRows => ({
  table: text("bulk_job_rows"),
  where: () => sql`created_at < ${before}`,
});
