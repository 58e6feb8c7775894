import { type Call, requireCaller } from "../../call/index.ts";
import { join, list, type Sql, sql, text } from "../../database/index.ts";
import { toConditions, type UserFilter } from "./user-filter.store.ts";

/** Returns whether a filter asks only for what users are counted by: organization, kind and state. */
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
 * Returns an expression for the number of users that the caller may read and that match the filters, which must all be
 * counted (`isCounted`). It reads the counts that are kept with the rows.
 */
export function countOfUsers(call: Call, filters: readonly UserFilter[]): Sql {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  const conditions = join([text("1 = 1"), ...toConditions(call.instanceId, filters)], " and ");
  // The same conditions read the counts, whose columns have the same names.
  const sum = (ofOrganization: Sql): Sql =>
    sql`select coalesce(sum(users.amount), 0) from user_counts users where users.instance_id = ${call.instanceId} and ${ofOrganization} and ${conditions}`;
  if (reach.everywhere) {
    return filters.some(asksForOrganization)
      ? sql`(${sum(text("users.organization_id <> ''"))})`
      : sql`(${sum(text("users.organization_id = ''"))})`;
  }
  // The caller, when outside of the reach.
  const isReached = sql`users.organization_id in ${list(reach.organizationIds)}`;
  const own = sql`select count(*) from users where users.instance_id = ${call.instanceId} and users.user_id = ${userId}
    and (${isReached}) is not true and ${conditions}`;
  return sql`((${sum(isReached)}) + (${own}))`;
}
