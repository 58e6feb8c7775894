import { createCache, type Database } from "../../database/index.ts";
import { listDirectoryRows } from "./execution-directory.store.ts";
import type { CallableTarget } from "./target.ts";

/** An execution that is to run. */
export interface RunnableExecution {
  readonly executionId: string;
  /** The namespace word that its targets expect. */
  readonly word: string;
  readonly targets: readonly CallableTarget[];
}

/** The executions of one instance by id. */
export type InstanceExecutions = ReadonlyMap<string, RunnableExecution>;

/** Knows the executions of all instances, as new as the last committed event. */
export interface ExecutionDirectory {
  /** Those of an instance: at once when they were read before, as is the rule; empty for most instances. */
  of(instanceId: string): InstanceExecutions | Promise<InstanceExecutions>;
}

/** Makes the directory that every request asks. */
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
  });
  return { of: (instanceId) => cache.get(instanceId) as InstanceExecutions | Promise<InstanceExecutions> };
}

/** The execution that counts: the first of these conditions that has one. */
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
