import type { Call } from "../../call/index.ts";
import { type Database, foldCounts, list, type Sql, sql, text } from "../../database/index.ts";
import type { AuthorizationFilter } from "./authorization-filter.ts";

/** The dimensions by which role assignments are counted. An absent one is not distinguished. */
export interface CountKey {
  readonly organizationId?: string;
  readonly projectId?: string;
  readonly roleKey?: string;
  /** Without the assignments of groups. */
  readonly isOfUsers?: boolean;
}

/**
 * Combines all filters into one row of the counts; undefined when they ask for more than assignments are counted by.
 */
export function toCountKey(filters: readonly AuthorizationFilter[]): CountKey | undefined {
  const countKey: { -readonly [Name in keyof CountKey]: CountKey[Name] } = {};
  const set = (name: "organizationId" | "projectId" | "roleKey", value: string): boolean => {
    // In the counts, the empty text stands for all; no organization, project or role has it as its name.
    if (value === "" || countKey[name] !== undefined) return false;
    countKey[name] = value;
    return true;
  };
  const isCounted = filters.every((filter) => {
    if (filter.kind === "organization") return set("organizationId", filter.organizationId);
    if (filter.kind === "project") return set("projectId", filter.projectId);
    if (filter.kind === "role_key") return filter.method === "equals" && set("roleKey", filter.roleKey);
    if (filter.kind !== "of_users") return false;
    countKey.isOfUsers = true;
    return true;
  });
  return isCounted ? countKey : undefined;
}

/**
 * Builds the expression for the number of assignments in a scope, or in the same scope of each of the given
 * organizations.
 */
export function amountOf(instanceId: string, countKey: CountKey, organizationIds?: readonly string[]): Sql {
  const { organizationId = "", projectId = "", roleKey = "", isOfUsers = false } = countKey;
  const ofAssignee = isOfUsers ? text("and c.assignee = 'user'") : text("");
  return sql`(select coalesce(sum(c.amount), 0) from authorization_counts c where c.instance_id = ${instanceId}
    and c.project_id = ${projectId} and c.role_key = ${roleKey} and c.organization_id in ${list(organizationIds ?? [organizationId])} ${ofAssignee})`;
}

/** Merges rows of `authorization_counts` that count the same. Returns how many rows are gone. */
export const foldAuthorizationCounts = ({ database }: { readonly database: Database }, call: Call): Promise<number> =>
  foldCounts(database, call, {
    table: text("authorization_counts"),
    columns: text("organization_id, project_id, role_key, assignee"),
  });
