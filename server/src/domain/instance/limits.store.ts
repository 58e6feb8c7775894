import { type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { Limits, StoredLimits } from "./limits.ts";

interface Row {
  readonly instanceId: string;
  readonly auditLogRetention: number | null;
  readonly isBlocked: number | null;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

const columns = text(`instance_id as "instanceId", audit_log_retention as "auditLogRetention",
  is_blocked as "isBlocked", sequence, created_at as "createdAt", changed_at as "changedAt"`);

/** Finds the limits of an instance; undefined when none were ever set. */
export function findLimits(reader: Reader, instanceId: string): Promise<StoredLimits | undefined> {
  return select(reader, instanceId, text(""));
}

/** Returns the limits of the unit's instance, locked until the unit of work ends. */
export function holdLimits(tx: Tx): Promise<StoredLimits | undefined> {
  return select(tx, tx.instanceId, rowLock(tx, "alone"));
}

/** Inserts the row of the instance, unless it exists, without limits and without history. */
export async function insertLimits(tx: Tx): Promise<void> {
  await tx.run(sql`insert into instance_limits (instance_id, sequence, created_at, changed_at)
    values (${tx.instanceId}, 0, ${tx.now}, ${tx.now}) on conflict do nothing`);
}

/** Replaces the limits of the instance, whose row is locked. */
export async function updateLimits(tx: Tx, { auditLogRetention, isBlocked }: Limits): Promise<StoredLimits> {
  const flag = isBlocked === undefined ? null : Number(isBlocked);
  const row = await tx.maybe<Row>(sql`update instance_limits
    set audit_log_retention = ${auditLogRetention}, is_blocked = ${flag}, sequence = sequence + 1,
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} returning ${columns}`);
  return toStored(row as Row);
}

async function select(reader: Reader, instanceId: string, lock: Sql): Promise<StoredLimits | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from instance_limits
    where instance_id = ${instanceId} ${lock}`);
  return row && toStored(row);
}

const toStored = ({ instanceId: ownerId, auditLogRetention, isBlocked, ...details }: Row): StoredLimits => ({
  auditLogRetention: auditLogRetention ?? undefined,
  isBlocked: isBlocked === null ? undefined : isBlocked === 1,
  details: { ...details, ownerId },
});
