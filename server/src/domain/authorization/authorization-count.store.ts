import type { Call } from "../../call/index.ts";
import { type Database, list, type Sql, sql, text } from "../../database/index.ts";
import type { AuthorizationFilter } from "./authorization-filter.ts";

/** What role assignments are counted by. What is not named counts together. */
export interface CountedPlace {
  readonly organizationId?: string;
  readonly projectId?: string;
  readonly roleKey?: string;
  /** Without those of groups. */
  readonly isOfUsers?: boolean;
}

/** What all filters ask together, if it is no more than assignments are counted by. */
export function toCountedPlace(filters: readonly AuthorizationFilter[]): CountedPlace | undefined {
  const place: { -readonly [Name in keyof CountedPlace]: CountedPlace[Name] } = {};
  const set = (name: "organizationId" | "projectId" | "roleKey", value: string): boolean => {
    // The empty text stands for all in the counts, and nothing has it for a name.
    if (value === "" || place[name] !== undefined) return false;
    place[name] = value;
    return true;
  };
  const isCounted = filters.every((filter) => {
    if (filter.kind === "organization") return set("organizationId", filter.organizationId);
    if (filter.kind === "project") return set("projectId", filter.projectId);
    if (filter.kind === "role_key") return filter.method === "equals" && set("roleKey", filter.roleKey);
    if (filter.kind !== "of_users") return false;
    place.isOfUsers = true;
    return true;
  });
  return isCounted ? place : undefined;
}

/** How many assignments there are in a place, or in the same of each of some organizations: an expression. */
export function amountOf(instanceId: string, place: CountedPlace, organizationIds?: readonly string[]): Sql {
  const { organizationId = "", projectId = "", roleKey = "", isOfUsers = false } = place;
  const ofAssignee = isOfUsers ? text("and c.assignee = 'user'") : text("");
  return sql`(select coalesce(sum(c.amount), 0) from authorization_counts c where c.instance_id = ${instanceId}
    and c.project_id = ${projectId} and c.role_key = ${roleKey} and c.organization_id in ${list(organizationIds ?? [organizationId])} ${ofAssignee})`;
}

/** Puts rows of `authorization_counts` together that count the same, as `foldUserCounts` does. Returns how many rows are gone. */
export async function foldAuthorizationCounts(
  { database }: { readonly database: Database },
  call: Call,
): Promise<number> {
  if (database.engine === "sqlite") return 0;
  const columns = text("instance_id, organization_id, project_id, role_key, assignee");
  return database.touch(call, async (tx) => {
    const [folded] = await tx.all<{ count: number }>(sql`with gone as (
        delete from authorization_counts where (${columns}) in
          (select ${columns} from authorization_counts group by ${columns} having count(*) > 1)
        returning ${columns}, amount),
      put as (insert into authorization_counts (${columns}, amount)
        select ${columns}, sum(amount) from gone group by ${columns} having sum(amount) <> 0 returning 1)
      select (select count(*) from gone) - (select count(*) from put) as "count"`);
    return folded?.count ?? 0;
  });
}
