import { createCache, type Database } from "../../database/index.ts";
import { listDirectoryRows } from "./execution-directory.store.ts";
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
    load: async (instanceId) => {
      const rows = await listDirectoryRows(database.read, instanceId);
      const byExecution = Map.groupBy(rows, ({ executionId }) => executionId);
      return new Map(
        [...byExecution].map(([executionId, found]) => [
          executionId,
          { executionId, word: found[0]?.word ?? "", targets: found.map(({ target }) => target) },
        ]),
      );
    },
    aggregateTypes: ["execution", "target"],
    isStaleAfter: (event, _executions, instanceId) => event.instanceId === instanceId,
    lengthOf: (executions) => JSON.stringify([...executions]).length,
  });
  return { of: (instanceId) => cache.get(instanceId) as InstanceExecutions | Promise<InstanceExecutions> };
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
