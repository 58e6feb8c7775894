import { type Reader, sql, type Tx } from "../../database/index.ts";
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
  const row = await tx.maybe<{ used: number }>(sql`insert into quota_usage (instance_id, unit, period_start, used)
    select instance_id, unit, cast(${periodStart} as bigint), cast(${pieces} as bigint) from quotas
      where instance_id = ${tx.instanceId} and unit = ${unit} and quota_id = ${quotaId}
    on conflict (instance_id, unit, period_start) do update set used = quota_usage.used + excluded.used
    returning used`);
  return row?.used;
}

/** Deletes what was counted, and which addresses were called, in periods that began before the instant. */
export async function deletePastUsage(tx: Tx, { unit }: Pick<Quota, "unit">, before: number): Promise<void> {
  await tx.run(sql`delete from quota_usage
    where instance_id = ${tx.instanceId} and unit = ${unit} and period_start < ${before}`);
  await tx.run(sql`delete from quota_notifications where instance_id = ${tx.instanceId} and unit = ${unit}
    and period_start < ${before} and state <> 'pending'`);
}
