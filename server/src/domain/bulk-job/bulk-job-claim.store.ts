import { type Reader, sql, type Tx } from "../../database/index.ts";
import { claimLifetime } from "./bulk-job.ts";

/** A job that waits for a node. */
export interface DueJob {
  readonly instanceId: string;
  readonly jobId: string;
  readonly organizationId: string;
}

/**
 * Lists jobs of all instances on which no other node works, those first that had their turn longest ago. Those of
 * instances that are blocked wait, and hold up no others.
 */
export function listDueJobs(
  reader: Reader,
  { node, now, limit }: { readonly node: string; readonly now: number; readonly limit: number },
): Promise<DueJob[]> {
  return reader.all(sql`select j.instance_id as "instanceId", j.job_id as "jobId", j.organization_id as "organizationId"
    from bulk_jobs j
    where j.state in ('queued', 'running') and (j.claimed_until <= ${now} or j.claimed_by = ${node})
      and (j.state = 'running' or not exists (select 1 from bulk_jobs r
        where r.instance_id = j.instance_id and r.organization_id = j.organization_id and r.state = 'running'))
      and not exists (select 1 from instance_limits l where l.instance_id = j.instance_id and l.is_blocked = 1)
    order by j.worked_at, j.created_at limit ${limit}`);
}

/**
 * Claims a job for a node, or says that the node goes on with it. A job that waited begins. Returns whether it was
 * there to be claimed; that another job of the organization runs is a violation of its key.
 */
export async function claimJob(
  tx: Tx,
  { jobId, node }: { readonly jobId: string; readonly node: string },
): Promise<boolean> {
  const count = await tx.run(sql`update bulk_jobs set state = 'running', claimed_by = ${node},
      claimed_until = ${tx.now + claimLifetime}, worked_at = ${tx.now}, started_at = coalesce(started_at, ${tx.now}),
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and job_id = ${jobId} and state in ('queued', 'running')
      and (claimed_until <= ${tx.now} or claimed_by = ${node})`);
  return count === 1;
}

/** Gives a job back, so that another node may go on with it from the instant on. */
export async function releaseJob(
  tx: Tx,
  { jobId, node, until }: { readonly jobId: string; readonly node: string; readonly until: number },
): Promise<void> {
  await tx.run(sql`update bulk_jobs set claimed_by = '', claimed_until = ${until}
    where instance_id = ${tx.instanceId} and job_id = ${jobId} and claimed_by = ${node}`);
}
