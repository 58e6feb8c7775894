import { type Reader, sql, type Tx } from "../../database/index.ts";

/** How many unused registrations an instance has, in total and from one source, and when the next of them expires. */
export interface UnusedCount {
  readonly all: number;
  readonly ofSource: number;
  readonly nextExpiry: number | null;
}

export async function countUnused(tx: Tx, source: string | undefined): Promise<UnusedCount> {
  const row = await tx.maybe<UnusedCount>(sql`select count(*) as "all",
      coalesce(sum(case when source = ${source ?? ""} then 1 else 0 end), 0) as "ofSource", min(expires_at) as "nextExpiry"
    from registrations where instance_id = ${tx.instanceId} and expires_at is not null and used_at is null`);
  return { all: Number(row?.all ?? 0), ofSource: Number(row?.ofSource ?? 0), nextExpiry: row?.nextExpiry ?? null };
}

/** Marks unused registrations that have received tokens since, in every instance; they stay. Returns how many. */
export function markUsed(tx: Tx): Promise<number> {
  return tx.run(sql`update registrations set used_at = ${tx.now}
    where expires_at is not null and used_at is null and exists (select 1 from token_families f
      where f.instance_id = registrations.instance_id and f.client_id = registrations.client_id)`);
}

/** Lists registrations that were never used and have expired, of every instance, oldest first. */
export function listExpiredUnused(
  reader: Reader,
  now: number,
  limit: number,
): Promise<{ instanceId: string; applicationId: string }[]> {
  return reader.all(sql`select instance_id as "instanceId", application_id as "applicationId" from registrations
    where expires_at is not null and used_at is null and expires_at <= ${now} order by expires_at limit ${limit}`);
}

/** Returns whether the registration is still unused, in the unit of work that is about to remove it. */
export async function isUnused(tx: Tx, applicationId: string): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from registrations r
    where r.instance_id = ${tx.instanceId} and r.application_id = ${applicationId}
      and r.expires_at <= ${tx.now} and r.used_at is null
      and not exists (select 1 from token_families f where f.instance_id = r.instance_id and f.client_id = r.client_id)`);
  return row !== undefined;
}
