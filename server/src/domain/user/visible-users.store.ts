import { list, type Sql, sql, text } from "../../database/index.ts";
import type { ListedPerson, VisibleUsers } from "./visible-users.ts";

/** Returns the condition of `isInView`: filters by name or address must not tell what a list does not show. */
export function inViewFilter(view: VisibleUsers, columns: { readonly [Name in keyof ListedPerson]: Sql }): Sql {
  if (view.everywhere) return text("1 = 1");
  const { userId, organizationId } = columns;
  const isKnown = view.organizationIds.length === 0 ? [] : [sql`${organizationId} in ${list(view.organizationIds)}`];
  const conditions = [sql`${userId} = ${view.userId}`, ...isKnown];
  return sql`(${conditions.reduce((one, other) => sql`${one} or ${other}`)})`;
}
