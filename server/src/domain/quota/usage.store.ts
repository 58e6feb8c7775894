import { join, type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import type { Quota } from "./quota.ts";

/** Finds how many pieces were used in a period. */
export async function findUsage(
  reader: Reader,
  { instanceId, unit }: Pick<Quota, "instanceId" | "unit">,
  periodStart: number,
): Promise<number> {
  const row = await reader.maybe<{ used: number }>(sql`select used from quota_usage
    where instance_id = ${instanceId} and unit = ${unit} and period_start = ${periodStart}`);
  return row?.used ?? 0;
}

/**
 * Adds what a process counted in a period, and returns what all of them have counted. Undefined when the quota is gone.
 */
export async function addUsage(
  tx: Tx,
  { unit, quotaId }: Pick<Quota, "unit" | "quotaId">,
  { periodStart, pieces }: { readonly periodStart: number; readonly pieces: number },
): Promise<number | undefined> {
  // A removal that is under way is waited for, so that nothing is counted of a quota that is gone.
  const row = await tx.maybe<{ used: number }>(sql`insert into quota_usage (instance_id, unit, period_start, used)
    select instance_id, unit, cast(${periodStart} as bigint), cast(${pieces} as bigint) from quotas
      where instance_id = ${tx.instanceId} and unit = ${unit} and quota_id = ${quotaId} ${rowLock(tx, "share")}
    on conflict (instance_id, unit, period_start) do update set used = quota_usage.used + excluded.used
    returning used`);
  return row?.used;
}

/** Lists what the scripts of organizations used in a period, in pieces. */
export async function listShares(
  reader: Reader,
  { instanceId, unit }: Pick<Quota, "instanceId" | "unit">,
  periodStart: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all<{ organizationId: string; used: number }>(sql`select
      organization_id as "organizationId", used from quota_shares
    where instance_id = ${instanceId} and unit = ${unit} and period_start = ${periodStart}`);
  return new Map(rows.map(({ organizationId, used }) => [organizationId, used]));
}

/** Adds what the scripts of organizations used, as a process counted it. */
export async function addShares(
  tx: Tx,
  { unit }: Pick<Quota, "unit">,
  periodStart: number,
  shares: ReadonlyMap<string, number>,
): Promise<void> {
  // In one order, so that two processes never wait for each other.
  const sorted = [...shares].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let from = 0; from < sorted.length; from += atOnce) {
    const rows = sorted
      .slice(from, from + atOnce)
      .map(([organizationId, used]) => sql`(${tx.instanceId}, ${unit}, ${periodStart}, ${organizationId}, ${used})`);
    await tx.run(sql`insert into quota_shares (instance_id, unit, period_start, organization_id, used)
      values ${join(rows, ", ")}
      on conflict (instance_id, unit, period_start, organization_id)
        do update set used = quota_shares.used + excluded.used`);
  }
}

// Rows in one statement.
const atOnce = 100;

/**
 * Deletes what was counted, who had a part, and which addresses were called, in periods that began before the instant.
 */
export async function deletePastUsage(tx: Tx, { unit }: Pick<Quota, "unit">, before: number): Promise<void> {
  await tx.run(sql`delete from quota_usage
    where instance_id = ${tx.instanceId} and unit = ${unit} and period_start < ${before}`);
  await tx.run(sql`delete from quota_shares
    where instance_id = ${tx.instanceId} and unit = ${unit} and period_start < ${before}`);
  await tx.run(sql`delete from quota_sharers
    where instance_id = ${tx.instanceId} and unit = ${unit} and period_start < ${before}`);
  await tx.run(sql`delete from quota_notifications where instance_id = ${tx.instanceId} and unit = ${unit}
    and period_start < ${before} and state <> 'pending'`);
}
