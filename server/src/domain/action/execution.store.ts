import { firstSequence, type Reader, sql, type Tx, text } from "../../database/index.ts";
import { conditionOf, type Execution, type ExecutionKind } from "./execution.ts";

export const executionColumns = text(`e.execution_id as "executionId", e.word, e.sequence,
  e.created_at as "createdAt", e.changed_at as "changedAt"`);

export interface ExecutionRow {
  readonly executionId: string;
  readonly word: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toExecution(instanceId: string, row: ExecutionRow, targetIds: readonly string[]): Execution {
  const { executionId, word, sequence, createdAt, changedAt } = row;
  const details = { sequence, createdAt, changedAt, ownerId: instanceId };
  return { executionId, condition: conditionOf(executionId), word, targetIds, details };
}

/** Writes the execution and counts the change. Locked until the unit of work ends. Returns the new sequence. */
export async function putExecution(
  tx: Tx,
  execution: { readonly executionId: string; readonly kind: ExecutionKind; readonly word: string },
): Promise<number> {
  const { executionId, kind, word } = execution;
  const first = await firstSequence(tx, "execution", executionId);
  const row = await tx.maybe<{ sequence: number }>(sql`insert into executions (instance_id, execution_id, kind, word,
      first_sequence, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${executionId}, ${kind}, ${word}, ${first}, ${first}, ${tx.now}, ${tx.now})
    on conflict (instance_id, execution_id) do update
      set word = excluded.word, sequence = executions.sequence + 1, changed_at = excluded.changed_at
    returning sequence`);
  return row?.sequence ?? 0;
}

/** Counts the executions of the instance, up to a number. */
export async function countExecutions(tx: Tx, most: number): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from
    (select 1 as "one" from executions where instance_id = ${tx.instanceId} limit ${most}) counted`);
  return row?.count ?? 0;
}

/** Deletes an execution. Returns the sequence of its deletion; undefined when there was no such execution. */
export async function deleteExecution(tx: Tx, executionId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`delete from executions
    where instance_id = ${tx.instanceId} and execution_id = ${executionId} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}

/**
 * Counts a change of an execution and locks it until the unit of work ends. Returns the new sequence; undefined when
 * there is no such execution.
 */
export async function touchExecution(tx: Tx, executionId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update executions
    set sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and execution_id = ${executionId} returning sequence`);
  return row?.sequence;
}

export async function insertExecutionTarget(
  tx: Tx,
  executionId: string,
  position: number,
  targetId: string,
): Promise<void> {
  await tx.run(sql`insert into execution_targets (instance_id, execution_id, place, target_id)
    values (${tx.instanceId}, ${executionId}, ${position}, ${targetId})`);
}

export async function deleteTargetsOfExecution(tx: Tx, executionId: string): Promise<void> {
  await tx.run(sql`delete from execution_targets
    where instance_id = ${tx.instanceId} and execution_id = ${executionId}`);
}

/** Removes one target from an execution. */
export async function deleteExecutionTarget(tx: Tx, executionId: string, targetId: string): Promise<void> {
  await tx.run(sql`delete from execution_targets
    where instance_id = ${tx.instanceId} and execution_id = ${executionId} and target_id = ${targetId}`);
}

/** Lists the targets of an execution, in order. */
export async function listTargetIdsOfExecution(
  reader: Reader,
  instanceId: string,
  executionId: string,
): Promise<string[]> {
  const rows = await reader.all<{ targetId: string }>(sql`select target_id as "targetId" from execution_targets
    where instance_id = ${instanceId} and execution_id = ${executionId} order by place`);
  return rows.map(({ targetId }) => targetId);
}

export async function findExecution(
  reader: Reader,
  instanceId: string,
  executionId: string,
): Promise<Execution | undefined> {
  const row = await reader.maybe<ExecutionRow>(sql`select ${executionColumns} from executions e
    where e.instance_id = ${instanceId} and e.execution_id = ${executionId}`);
  return row && toExecution(instanceId, row, await listTargetIdsOfExecution(reader, instanceId, executionId));
}

export async function listExecutionIdsOfTarget(reader: Tx, targetId: string): Promise<string[]> {
  const rows = await reader.all<{ executionId: string }>(sql`select execution_id as "executionId" from execution_targets
    where instance_id = ${reader.instanceId} and target_id = ${targetId} order by execution_id`);
  return rows.map(({ executionId }) => executionId);
}
