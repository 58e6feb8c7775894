import { type Call, requireCaller } from "../../call/index.ts";
import { join, list, type Sql, sql, text } from "../../database/index.ts";
import { toConditions, type UserFilter } from "./user-filter.store.ts";

/** Whether all that a filter asks is what users are counted by: organization, kind and state. */
export function isCounted(filter: UserFilter): boolean {
  switch (filter.by) {
    case "organization":
    case "kind":
    case "state":
      return true;
    case "and":
    case "or":
      return filter.filters.every(isCounted);
    case "not":
      return isCounted(filter.filter);
    default:
      return false;
  }
}

const asksForOrganization = (filter: UserFilter): boolean => {
  if (filter.by === "and" || filter.by === "or") return filter.filters.some(asksForOrganization);
  return filter.by === "organization" || (filter.by === "not" && asksForOrganization(filter.filter));
};

/**
 * How many users there are for whom filters hold that are all counted (`isCounted`), and whom the caller may read, from the counts that are
 * kept with the rows: an expression.
 */
export function countOfUsers(call: Call, filters: readonly UserFilter[]): Sql {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  const conditions = join([text("1 = 1"), ...toConditions(call.instanceId, filters)], " and ");
  // The same conditions read the counts, whose columns have the same names.
  const sum = (place: Sql): Sql =>
    sql`select coalesce(sum(users.amount), 0) from user_counts users where users.instance_id = ${call.instanceId} and ${place} and ${conditions}`;
  if (reach.everywhere) {
    return filters.some(asksForOrganization)
      ? sql`(${sum(text("users.organization_id <> ''"))})`
      : sql`(${sum(text("users.organization_id = ''"))})`;
  }
  // The caller himself, when the reach does not have him.
  const isReached = sql`users.organization_id in ${list(reach.organizationIds)}`;
  const own = sql`select count(*) from users where users.instance_id = ${call.instanceId} and users.user_id = ${userId}
    and (${isReached}) is not true and ${conditions}`;
  return sql`((${sum(isReached)}) + (${own}))`;
}
