import { instantFilter, join, list, type Sql, sql, text, textFilter } from "../../database/index.ts";
import type { AdministeredResource } from "../administrator-access/index.ts";
import type { AdministratorFilter } from "./administrator-search.ts";

/**
 * Converts a filter to a condition on `memberships m`, `users u` and `project_grants g`. Names count only for users in
 * view.
 */
export function toCondition(instanceId: string, filter: AdministratorFilter, isInView: Sql): Sql {
  switch (filter.by) {
    case "created_at":
      return instantFilter(text("m.created_at"), filter.method, filter.instant);
    case "changed_at":
      return instantFilter(text("m.changed_at"), filter.method, filter.instant);
    case "user_ids":
      // An empty list would compare to null, and the negation of null is not true either.
      return filter.userIds.length === 0 ? sql`1 = 0` : sql`m.user_id in ${list(filter.userIds)}`;
    case "user_organization":
      return sql`u.organization_id = ${filter.organizationId}`;
    case "login_name":
      return sql`(${isInView} and ${textFilter(text("u.preferred_login_name"), filter.method, filter.text)})`;
    case "display_name":
      return sql`(${isInView} and ${textFilter(text("u.display_name"), filter.method, filter.text)})`;
    case "resource":
      return isOf(filter.resource);
    case "scope":
      return sql`(m.level = ${filter.level} and m.resource_id = ${filter.resourceId})`;
    case "role":
      return sql`exists (select 1 from membership_roles r where r.instance_id = ${instanceId} and r.user_id = m.user_id
        and r.level = m.level and r.resource_id = m.resource_id and r.role = ${filter.role})`;
    case "and":
      return combine(instanceId, filter.filters, isInView, { separator: " and ", ofNone: sql`1 = 1` });
    case "or":
      return combine(instanceId, filter.filters, isInView, { separator: " or ", ofNone: sql`1 = 0` });
    case "not":
      return sql`not (${toCondition(instanceId, filter.filter, isInView)})`;
    default:
      return filter satisfies never;
  }
}

// An empty conjunction is true, an empty disjunction is false.
const combine = (
  instanceId: string,
  filters: readonly AdministratorFilter[],
  isInView: Sql,
  { separator, ofNone }: { readonly separator: " and " | " or "; readonly ofNone: Sql },
): Sql => {
  const conditions = filters.map((filter) => toCondition(instanceId, filter, isInView));
  return conditions.length === 0 ? ofNone : sql`(${join(conditions, separator)})`;
};

function isOf(resource: AdministeredResource): Sql {
  switch (resource.level) {
    case "instance":
      return sql`m.level = 'instance'`;
    case "organization":
      return sql`(m.level = 'organization' and m.resource_id = ${resource.organizationId})`;
    case "project":
      return sql`(m.level = 'project' and m.resource_id = ${resource.projectId})`;
    case "project_grant":
      if ("grantId" in resource) return sql`(m.level = 'project_grant' and m.resource_id = ${resource.grantId})`;
      // Rows of other levels have no grant; without coalesce, the condition would be null for them, and so would its
      // negation.
      return sql`(m.level = 'project_grant' and coalesce(g.project_id, '') = ${resource.projectId}
        and coalesce(g.granted_organization_id, '') = ${resource.grantedOrganizationId})`;
    default:
      return resource satisfies never;
  }
}
