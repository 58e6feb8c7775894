import type { Reach } from "../call/index.ts";
import { join, list, type Sql, sql } from "./sql.ts";

/**
 * Returns the condition that a row lives where a permission holds (`call.caller.access.reach(permission)`). The columns
 * name the row's scope; leave out the columns that it does not have.
 */
export function reachFilter(
  reach: Reach,
  columns: { readonly organizationId?: Sql; readonly projectId?: Sql; readonly projectGrantId?: Sql },
): Sql {
  if (reach.everywhere) return sql`1 = 1`;
  const conditions = [
    isOneOf(columns.organizationId, reach.organizationIds),
    isOneOf(columns.projectId, reach.projectIds),
    isOneOf(columns.projectGrantId, reach.projectGrantIds),
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? sql`1 = 0` : sql`(${join(conditions, " or ")})`;
}

function isOneOf(column: Sql | undefined, ids: readonly string[]): Sql | undefined {
  return column === undefined || ids.length === 0 ? undefined : sql`${column} in ${list(ids)}`;
}
