import { type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { PayloadType, Target, TargetInput, TargetKind } from "./target.ts";

export const targetColumns =
  text(`target_id as "targetId", name, kind, endpoint, timeout, is_interrupting as "isInterrupting",
  payload_type as "payloadType", sequence, created_at as "createdAt", changed_at as "changedAt"`);

export interface TargetRow {
  readonly targetId: string;
  readonly name: string;
  readonly kind: TargetKind;
  readonly endpoint: string;
  readonly timeout: number;
  readonly isInterrupting: 0 | 1;
  readonly payloadType: PayloadType;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toTarget(instanceId: string, row: TargetRow): Target {
  const { sequence, createdAt, changedAt, isInterrupting, ...rest } = row;
  return {
    ...rest,
    isInterrupting: isInterrupting === 1,
    details: { sequence, createdAt, changedAt, ownerId: instanceId },
  };
}

/** Counts the targets of the instance, up to a number. */
export async function countTargets(tx: Tx, most: number): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from
    (select 1 as "one" from targets where instance_id = ${tx.instanceId} limit ${most}) counted`);
  return row?.count ?? 0;
}

export async function insertTarget(
  tx: Tx,
  target: TargetInput & { readonly targetId: string; readonly signingKey: string },
): Promise<Target> {
  const row = await tx.maybe<TargetRow>(sql`insert into targets (instance_id, target_id, name, kind, endpoint, timeout,
      is_interrupting, payload_type, signing_key, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${target.targetId}, ${target.name}, ${target.kind}, ${target.endpoint}, ${target.timeout},
      ${target.isInterrupting}, ${target.payloadType}, ${target.signingKey},
      1, ${tx.now}, ${tx.now})
    returning ${targetColumns}`);
  return toTarget(tx.instanceId, row as TargetRow);
}

export async function findTarget(reader: Reader, instanceId: string, targetId: string): Promise<Target | undefined> {
  const row = await reader.maybe<TargetRow>(sql`select ${targetColumns} from targets
    where instance_id = ${instanceId} and target_id = ${targetId}`);
  return row && toTarget(instanceId, row);
}

/** Returns the target, locked until the unit of work ends. */
export async function holdTarget(tx: Tx, targetId: string): Promise<Target | undefined> {
  const row = await tx.maybe<TargetRow>(sql`select ${targetColumns} from targets
    where instance_id = ${tx.instanceId} and target_id = ${targetId} ${rowLock(tx, "alone")}`);
  return row && toTarget(tx.instanceId, row);
}

/** Returns which of these targets exist; they cannot be deleted until the unit of work ends. */
export async function holdTargetIds(tx: Tx, targetIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  // In a fixed order, so that two transactions that lock several targets cannot deadlock.
  for (const targetId of targetIds.toSorted()) {
    const row = await tx.maybe<{ targetId: string }>(sql`select target_id as "targetId" from targets
      where instance_id = ${tx.instanceId} and target_id = ${targetId} ${rowLock(tx, "share")}`);
    if (row !== undefined) found.add(row.targetId);
  }
  return found;
}

/** Writes the target. With `signingKey` undefined the signing key stays. */
export async function updateTargetRow(
  tx: Tx,
  target: TargetInput & { readonly targetId: string; readonly signingKey: string | undefined },
): Promise<Target> {
  const row = await tx.maybe<TargetRow>(sql`update targets set name = ${target.name}, kind = ${target.kind},
      endpoint = ${target.endpoint}, timeout = ${target.timeout}, is_interrupting = ${target.isInterrupting},
      payload_type = ${target.payloadType}, signing_key = coalesce(${target.signingKey}, signing_key),
      sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and target_id = ${target.targetId}
    returning ${targetColumns}`);
  return toTarget(tx.instanceId, row as TargetRow);
}

/**
 * Counts a change of something that belongs to the target. Returns the new sequence; undefined when there is no such
 * target.
 */
export async function touchTarget(tx: Tx, targetId: string): Promise<number | undefined> {
  const row = await tx.maybe<{
    sequence: number;
  }>(sql`update targets set sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and target_id = ${targetId} returning sequence`);
  return row?.sequence;
}

/** Deletes the target. Returns its last sequence; undefined when there was no such target. */
export async function deleteTargetRow(tx: Tx, targetId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`delete from targets
    where instance_id = ${tx.instanceId} and target_id = ${targetId} returning sequence`);
  return row?.sequence;
}
