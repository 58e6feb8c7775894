import { createCache, type Database, type Reader } from "../../database/index.ts";
import { listCallableTargets, listDirectoryRows } from "./execution-directory.store.ts";
import type { CallableTarget } from "./target.ts";

/** An execution with the targets that it calls. */
export interface RunnableExecution {
  readonly executionId: string;
  /** The namespace word that its targets expect. */
  readonly word: string;
  readonly targets: readonly CallableTarget[];
}

/** The executions of one instance by id. */
export type InstanceExecutions = ReadonlyMap<string, RunnableExecution>;

/** Caches the executions of all instances, current as of the last committed event. */
export interface ExecutionDirectory {
  /** The executions of an instance: synchronous when they are cached, which is the rule; empty for most instances. */
  of(instanceId: string): InstanceExecutions | Promise<InstanceExecutions>;
}

/** Creates the directory that every request asks. */
export function createExecutionDirectory({ database }: { readonly database: Database }): ExecutionDirectory {
  const cache = createCache<InstanceExecutions>(database, {
    load: (instanceId) => loadExecutions(database.read, instanceId),
    aggregateTypes: ["execution", "target"],
    isStaleAfter: (event, _executions, instanceId) => event.instanceId === instanceId,
    lengthOf,
  });
  return { of: (instanceId) => cache.get(instanceId) as InstanceExecutions | Promise<InstanceExecutions> };
}

/** Reads each target once, however many executions call it. */
async function loadExecutions(reader: Reader, instanceId: string): Promise<InstanceExecutions> {
  const rows = await listDirectoryRows(reader, instanceId);
  if (rows.length === 0) return new Map();
  const found = await listCallableTargets(reader, instanceId);
  const byId = new Map(found.map((target) => [target.targetId, target]));
  return new Map(
    rows.map(({ executionId, word, targetIds }) => {
      // One that was deleted between the two reads is called no longer.
      const targets = targetIds.map((targetId) => byId.get(targetId)).filter((target) => target !== undefined);
      return [executionId, { executionId, word, targets }];
    }),
  );
}

// About what a reference to a target, or an object, takes.
const lengthOfReference = 16;

function lengthOf(executions: InstanceExecutions): number {
  const targets = new Set<CallableTarget>();
  let length = 0;
  for (const execution of executions.values()) {
    length += execution.executionId.length + lengthOfReference * (execution.targets.length + 4);
    for (const target of execution.targets) targets.add(target);
  }
  return length + JSON.stringify([...targets]).length;
}

/** Finds the execution that applies: that of the first of these conditions that has an execution. */
export function findRunnable(
  executions: InstanceExecutions,
  executionIds: readonly string[],
): RunnableExecution | undefined {
  for (const executionId of executionIds) {
    const found = executions.get(executionId);
    if (found !== undefined) return found;
  }
  return undefined;
}
