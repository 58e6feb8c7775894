import { list, type Reader, sql, text } from "../../database/index.ts";
import { assignmentsOf } from "./assigned.store.ts";

export interface RoleClaimQuery {
  readonly userId: string;
  readonly projectIds: readonly string[];
  /** Only these roles; all when absent. */
  readonly roleKeys?: readonly string[];
  /** Only roles that these organizations assigned; all when absent. */
  readonly organizationIds?: readonly string[];
  /** Most rows that are read, each a role of a project by one organization; all of them when absent. */
  readonly limit?: number;
}

export interface RoleClaimRow {
  readonly projectId: string;
  readonly roleKey: string;
  readonly organizationId: string;
  readonly primaryDomain: string;
}

/**
 * Lists the effective roles of a user, own or through a group: the assignment, the project, its owner, the assigning
 * organization and, for a lent project, the grant are all active.
 */
export async function listRoleClaimRows(
  reader: Reader,
  instanceId: string,
  query: RoleClaimQuery,
): Promise<RoleClaimRow[]> {
  const { roleKeys, organizationIds } = query;
  // Materialized, because with a limit PostgreSQL may read all rows in the order of the result.
  return reader.all<RoleClaimRow>(sql`with found as materialized (select distinct a.project_id as "projectId", r.role_key as "roleKey",
      a.organization_id as "organizationId", o.primary_domain as "primaryDomain"
    from ${assignmentsOf(instanceId, query.userId)} a
    join authorization_roles r on r.instance_id = ${instanceId} and r.authorization_id = a.authorization_id
    join projects p on p.instance_id = ${instanceId} and p.project_id = a.project_id and p.state = 'active'
    join organizations o on o.instance_id = ${instanceId} and o.organization_id = a.organization_id and o.state = 'active'
    join organizations po on po.instance_id = p.instance_id and po.organization_id = p.organization_id
      and po.state = 'active'
    left join project_grants g on g.instance_id = ${instanceId} and g.grant_id = a.project_grant_id
    where a.project_id in ${list(query.projectIds)}
      and a.state = 'active' and (a.project_grant_id = '' or g.state = 'active')
      ${roleKeys === undefined ? text("") : sql`and r.role_key in ${list(roleKeys)}`}
      ${organizationIds === undefined ? text("") : sql`and a.organization_id in ${list(organizationIds)}`}
    )
    select "projectId", "roleKey", "organizationId", "primaryDomain" from found
    order by "projectId", "roleKey", "organizationId" ${query.limit === undefined ? text("") : sql`limit ${query.limit}`}`);
}
