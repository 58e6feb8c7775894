import {
  type List,
  list,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  type TextMethod,
  text,
  textFilter,
} from "../../database/index.ts";
import { type TargetRow, targetColumns, toTarget } from "./target.store.ts";
import type { Target } from "./target.ts";

export type TargetFilter =
  | { readonly by: "name"; readonly method: TextMethod; readonly name: string }
  | { readonly by: "ids"; readonly targetIds: readonly string[] };

export interface TargetSearch {
  readonly filters: readonly TargetFilter[];
  readonly orderBy: "id" | "created_at" | "changed_at" | "name" | "kind" | "endpoint" | "timeout" | "is_interrupting";
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  id: text("target_id"),
  created_at: text("created_at"),
  changed_at: text("changed_at"),
  name: text("name"),
  kind: text("kind"),
  endpoint: text("endpoint"),
  timeout: text("timeout"),
  is_interrupting: text("is_interrupting"),
} as const satisfies Record<TargetSearch["orderBy"], Sql>;

export async function listTargetRows(
  reader: Reader,
  instanceId: string,
  { filters, orderBy, isDescending, page }: TargetSearch,
): Promise<List<Target>> {
  const { rows, total } = await readList<TargetRow>(reader, {
    columns: targetColumns,
    from: text("targets"),
    where: [sql`instance_id = ${instanceId}`, ...filters.map(toCondition)],
    orderBy: orders[orderBy],
    id: text("target_id"),
    isDescending,
    page,
  });
  return { rows: rows.map((row) => toTarget(instanceId, row)), total };
}

function toCondition(filter: TargetFilter): Sql {
  switch (filter.by) {
    case "name":
      return textFilter(text("name"), filter.method, filter.name);
    case "ids":
      return sql`target_id in ${list(filter.targetIds)}`;
    default:
      return filter satisfies never;
  }
}
