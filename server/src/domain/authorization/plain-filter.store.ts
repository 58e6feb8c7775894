import { list, type Sql, sql, text } from "../../database/index.ts";
import type { AuthorizationFilter } from "./authorization-filter.ts";

/** Filters by columns of the assignments that no index leads by. */
type PlainFilter = Extract<
  AuthorizationFilter,
  { readonly kind: "after" | "made_by" | "of_users" | "other_projects" | "state" }
>;

/** Returns the condition of a filter, for the assignments `a`. */
export function plainCondition(filter: PlainFilter): Sql {
  switch (filter.kind) {
    case "after":
      return sql`a.authorization_id > ${filter.authorizationId}`;
    case "made_by": {
      const isIn = sql`(a.organization_id || '') in ${list(filter.organizationIds)}`;
      return filter.isIn ? isIn : sql`not (${isIn})`;
    }
    case "of_users":
      return text("a.user_id <> ''");
    case "other_projects":
      return sql`a.project_id <> ${filter.projectId}`;
    case "state":
      return sql`a.state = ${filter.state}`;
    default:
      return filter satisfies never;
  }
}
