import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  countExecutions,
  deleteExecution,
  deleteExecutionTarget,
  deleteTargetsOfExecution,
  findExecution,
  insertExecutionTarget,
  listTargetIdsOfExecution,
  putExecution,
  touchExecution,
} from "./execution.store.ts";
import { type Condition, executionIdOf } from "./execution.ts";
import { recordExecution } from "./record-execution.ts";
import { holdTargetIds } from "./target.store.ts";
import { targetAbsent } from "./target.ts";

export interface ExecutionInput {
  readonly condition: Condition;
  /** The namespace word that the caller used. */
  readonly word: string;
  /** In the order in which they are called; an empty list removes the execution. */
  readonly targetIds: readonly string[];
}

// More would only make requests wait: each target is called after the one before.
const mostTargets = 20;
// All of them are kept in memory, and read again after each change of one.
const mostExecutions = 500;

/**
 * Sets which targets are called when a condition is met. Returns when it was set, which is earlier than now when
 * nothing changes. Throws the Faults `target.not_found`, `execution.target_repeated`, `execution.too_many_targets`,
 * `execution.too_many`.
 */
export async function setExecution(
  deps: { readonly database: Database },
  call: Call,
  input: ExecutionInput,
): Promise<number> {
  const { condition, targetIds, word } = input;
  const executionId = executionIdOf(condition);
  if (targetIds.length > mostTargets) {
    throw new Fault("invalid_argument", "execution.too_many_targets", {
      field: "targets",
      values: { maximum: mostTargets },
    });
  }
  if (new Set(targetIds).size < targetIds.length) {
    throw new Fault("invalid_argument", "execution.target_repeated", { field: "targets" });
  }
  return deps.database.change(call, async (tx) => {
    if (targetIds.length === 0) return removeExecution(tx, executionId);
    const known = await holdTargetIds(tx, targetIds);
    if (!targetIds.every((targetId) => known.has(targetId))) throw targetAbsent("targets");
    const present = await findExecution(tx, tx.instanceId, executionId);
    const isSame = present?.word === word && present.targetIds.join() === targetIds.join();
    if (isSame) return present.details.changedAt;
    if (present === undefined) await refuseTooMany(tx);
    const sequence = await putExecution(tx, { executionId, kind: condition.kind, word });
    await deleteTargetsOfExecution(tx, executionId);
    for (const [position, targetId] of targetIds.entries())
      await insertExecutionTarget(tx, executionId, position, targetId);
    recordExecution(tx, { executionId, targetIds, sequence }, "execution.set");
    return tx.now;
  });
}

// Nothing is locked for it: executions that are set at the same time may be a few more.
async function refuseTooMany(tx: Tx): Promise<void> {
  if ((await countExecutions(tx, mostExecutions)) < mostExecutions) return;
  throw new Fault("resource_exhausted", "execution.too_many", { values: { maximum: mostExecutions } });
}

async function removeExecution(tx: Tx, executionId: string): Promise<number> {
  const sequence = await deleteExecution(tx, executionId);
  if (sequence === undefined) return tx.now;
  await deleteTargetsOfExecution(tx, executionId);
  recordExecution(tx, { executionId, targetIds: [], sequence }, "execution.removed");
  return tx.now;
}

/** Step: removes a target from an execution; an execution without any target left is removed as well. */
export async function takeOutOfExecution(tx: Tx, executionId: string, targetId: string): Promise<void> {
  const sequence = await touchExecution(tx, executionId);
  // It was removed concurrently.
  if (sequence === undefined) return;
  await deleteExecutionTarget(tx, executionId, targetId);
  const targetIds = await listTargetIdsOfExecution(tx, tx.instanceId, executionId);
  recordExecution(tx, { executionId, targetIds, sequence }, "execution.set");
  if (targetIds.length === 0) await removeExecution(tx, executionId);
}
