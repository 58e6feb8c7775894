import { type Reader, sql, type Tx } from "../../database/index.ts";
import { claimLifetime } from "./bulk-job.ts";

/** A job that waits for a node. */
export interface DueJob {
  readonly instanceId: string;
  readonly jobId: string;
  readonly organizationId: string;
}

/**
 * Lists jobs of all instances on which no other node works: of each organization the one that runs or is the oldest,
 * those of organizations first that had their turn longest ago, however many jobs others have. An instance with many
 * organizations holds up no others, as only a few of each are listed; nor does one that is blocked, whose jobs wait.
 */
export function listDueJobs(reader: Reader, { node, now, ofInstance, limit }: DueSearch): Promise<DueJob[]> {
  return reader.all(sql`select due.instance_id as "instanceId", due.job_id as "jobId",
      due.organization_id as "organizationId"
    from (select f.instance_id, f.job_id, f.organization_id, f.turn_at, f.created_at,
        row_number() over (partition by f.instance_id order by f.turn_at, f.created_at, f.job_id) as place
      from (select n.instance_id, n.job_id, n.organization_id, n.created_at,
          (select max(w.worked_at) from bulk_jobs w
            where w.instance_id = n.instance_id and w.organization_id = n.organization_id) as turn_at
        from (select j.instance_id, j.job_id, j.organization_id, j.created_at,
            row_number() over (partition by j.instance_id, j.organization_id order by j.created_at, j.job_id) as nth
          from bulk_jobs j
          where j.state in ('queued', 'running') and (j.claimed_until <= ${now} or j.claimed_by = ${node})
            and (j.state = 'running' or not exists (select 1 from bulk_jobs r
              where r.instance_id = j.instance_id and r.organization_id = j.organization_id and r.state = 'running'))
            and exists (select 1 from instances i where i.instance_id = j.instance_id and i.state = 'active')
            and not exists (select 1 from instance_limits l
              where l.instance_id = j.instance_id and l.is_blocked = 1)) n
        where n.nth = 1) f) due
    where due.place <= ${ofInstance} order by due.turn_at, due.created_at, due.job_id limit ${limit}`);
}

interface DueSearch {
  readonly node: string;
  readonly now: number;
  /** As many of one instance. */
  readonly ofInstance: number;
  readonly limit: number;
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
