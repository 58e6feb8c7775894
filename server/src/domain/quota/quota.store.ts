import { type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { Quota, QuotaNotification, QuotaTerms, QuotaUnit } from "./quota.ts";

interface Row {
  readonly instanceId: string;
  readonly quotaId: string;
  readonly unit: QuotaUnit;
  readonly beginsAt: number;
  readonly resetInterval: number;
  readonly amount: number;
  readonly isLimited: number;
  readonly notifications: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

const columns = text(`instance_id as "instanceId", quota_id as "quotaId", unit, begins_at as "beginsAt",
  reset_interval as "resetInterval", amount, is_limited as "isLimited", notifications, sequence,
  created_at as "createdAt", changed_at as "changedAt"`);

/** Lists the quotas of an instance: at most one for each unit. */
export async function listQuotas(reader: Reader, instanceId: string): Promise<Quota[]> {
  const rows = await reader.all<Row>(sql`select ${columns} from quotas where instance_id = ${instanceId}
    order by unit`);
  return rows.map(toQuota);
}

/** Returns the quota of a unit, locked until the unit of work ends. */
export async function holdQuota(tx: Tx, unit: QuotaUnit): Promise<Quota | undefined> {
  return select(tx, unit, rowLock(tx, "alone"));
}

/** Inserts a quota; undefined when the instance has one of this unit. */
export async function insertQuota(
  tx: Tx,
  { unit, quotaId, ...terms }: QuotaTerms & { readonly unit: QuotaUnit; readonly quotaId: string },
): Promise<Quota | undefined> {
  const row = await tx.maybe<Row>(sql`insert into quotas (instance_id, unit, quota_id, begins_at, reset_interval,
      amount, is_limited, notifications, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${unit}, ${quotaId}, ${terms.beginsAt}, ${terms.resetInterval}, ${terms.amount},
      ${Number(terms.isLimited)}, ${JSON.stringify(terms.notifications)}, 1, ${tx.now}, ${tx.now})
    on conflict (instance_id, unit) do nothing returning ${columns}`);
  return row && toQuota(row);
}

/** Replaces the terms of a quota, whose row is locked. */
export async function updateQuota(tx: Tx, unit: QuotaUnit, terms: QuotaTerms): Promise<Quota> {
  const row = await tx.maybe<Row>(sql`update quotas set begins_at = ${terms.beginsAt},
      reset_interval = ${terms.resetInterval}, amount = ${terms.amount}, is_limited = ${Number(terms.isLimited)},
      notifications = ${JSON.stringify(terms.notifications)}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and unit = ${unit} returning ${columns}`);
  return toQuota(row as Row);
}

/** Counts an event of a quota that changes none of its terms. Undefined when the quota is gone. */
export async function nextQuotaSequence(
  tx: Tx,
  { unit, quotaId }: Pick<Quota, "unit" | "quotaId">,
): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update quotas set sequence = sequence + 1
    where instance_id = ${tx.instanceId} and unit = ${unit} and quota_id = ${quotaId} returning sequence`);
  return row?.sequence;
}

/** Deletes a quota with what was counted, and with its calls. */
export async function deleteQuota(tx: Tx, unit: QuotaUnit): Promise<void> {
  const counted = [text("quota_notifications"), text("quota_sharers"), text("quota_shares"), text("quota_usage")];
  for (const table of [...counted, text("quotas")]) {
    await tx.run(sql`delete from ${table} where instance_id = ${tx.instanceId} and unit = ${unit}`);
  }
}

async function select(tx: Tx, unit: QuotaUnit, lock: Sql): Promise<Quota | undefined> {
  const row = await tx.maybe<Row>(sql`select ${columns} from quotas
    where instance_id = ${tx.instanceId} and unit = ${unit} ${lock}`);
  return row && toQuota(row);
}

const toQuota = ({ sequence, createdAt, changedAt, ...row }: Row): Quota => ({
  ...row,
  isLimited: row.isLimited === 1,
  notifications: JSON.parse(row.notifications) as QuotaNotification[],
  details: { sequence, createdAt, changedAt, ownerId: row.instanceId },
});
