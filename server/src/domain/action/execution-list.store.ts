import { type List, list, type Page, type Reader, readList, type Sql, sql, text } from "../../database/index.ts";
import { type ExecutionRow, executionColumns, toExecution } from "./execution.store.ts";
import type { Execution, ExecutionKind } from "./execution.ts";

export type ExecutionFilter =
  | { readonly by: "ids"; readonly executionIds: readonly string[] }
  | { readonly by: "kind"; readonly kind: ExecutionKind }
  | { readonly by: "target"; readonly targetId: string };

export interface ExecutionSearch {
  readonly filters: readonly ExecutionFilter[];
  readonly orderBy: "id" | "created_at" | "changed_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  id: text("e.execution_id"),
  created_at: text("e.created_at"),
  changed_at: text("e.changed_at"),
} as const satisfies Record<ExecutionSearch["orderBy"], Sql>;

export async function listExecutionRows(
  reader: Reader,
  instanceId: string,
  { filters, orderBy, isDescending, page }: ExecutionSearch,
): Promise<List<Execution>> {
  const { rows, total } = await readList<ExecutionRow>(reader, {
    columns: executionColumns,
    from: text("executions e"),
    where: [sql`e.instance_id = ${instanceId}`, ...filters.map((filter) => toCondition(instanceId, filter))],
    orderBy: orders[orderBy],
    id: text("e.execution_id"),
    isDescending,
    page,
  });
  const targets = Map.groupBy(
    await listExecutionTargets(
      reader,
      instanceId,
      rows.map(({ executionId }) => executionId),
    ),
    ({ executionId }) => executionId,
  );
  const targetIdsOf = (executionId: string): string[] =>
    (targets.get(executionId) ?? []).map(({ targetId }) => targetId);
  return { rows: rows.map((row) => toExecution(instanceId, row, targetIdsOf(row.executionId))), total };
}

async function listExecutionTargets(
  reader: Reader,
  instanceId: string,
  executionIds: readonly string[],
): Promise<{ readonly executionId: string; readonly targetId: string }[]> {
  return reader.all(sql`select execution_id as "executionId", target_id as "targetId" from execution_targets
    where instance_id = ${instanceId} and execution_id in ${list(executionIds)} order by execution_id, place`);
}

function toCondition(instanceId: string, filter: ExecutionFilter): Sql {
  switch (filter.by) {
    case "ids":
      return sql`e.execution_id in ${list(filter.executionIds)}`;
    case "kind":
      return sql`e.kind = ${filter.kind}`;
    case "target":
      return sql`exists (select 1 from execution_targets t where t.instance_id = ${instanceId}
        and t.execution_id = e.execution_id and t.target_id = ${filter.targetId})`;
    default:
      return filter satisfies never;
  }
}
