import { list, type Reader, readList, type Sql, sql, text } from "../../database/index.ts";
import { columns, type InstanceRow, toInstance, withPrimaryHost } from "./instance.store.ts";
import type { Instance } from "./instance.ts";
import type { InstanceFilter, InstanceSearch } from "./instance-search.ts";

const orders = {
  id: text("i.instance_id"),
  name: text("i.name"),
  created_at: text("i.created_at"),
} as const satisfies Record<InstanceSearch["orderBy"], Sql>;

export async function listInstanceRows(
  reader: Reader,
  search: InstanceSearch,
): Promise<{ instances: Instance[]; total: number }> {
  const { rows, total } = await readList<InstanceRow>(reader, {
    columns,
    from: sql`instances i ${withPrimaryHost}`,
    where: [sql`i.state = 'active'`, ...search.filters.map(toCondition)],
    orderBy: orders[search.orderBy],
    id: text("i.instance_id"),
    isDescending: search.isDescending,
    page: search.page,
  });
  return { instances: rows.map(toInstance), total };
}

function toCondition(filter: InstanceFilter): Sql {
  switch (filter.by) {
    case "ids":
      return sql`i.instance_id in ${list(filter.instanceIds)}`;
    case "domains":
      return sql`exists (select 1 from instance_domains d where d.instance_id = i.instance_id and d.is_trusted = 0
        and d.host in ${list(filter.domains)})`;
    default:
      return filter satisfies never;
  }
}
