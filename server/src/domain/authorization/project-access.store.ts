import { type Reader, sql } from "../../database/index.ts";
import { assignmentsOf } from "./assigned.store.ts";

/**
 * Returns whether the user's organization owns the project, or was granted it and recognized the grant. Only active
 * grants count. False for an unknown user.
 */
export async function isProjectAtHome(
  reader: Reader,
  instanceId: string,
  query: { readonly userId: string; readonly project: { readonly projectId: string; readonly organizationId: string } },
): Promise<boolean> {
  const { userId, project } = query;
  const row = await reader.maybe<{ isAtHome: number }>(sql`select 1 as "isAtHome" from users u
    where u.instance_id = ${instanceId} and u.user_id = ${userId}
      and (u.organization_id = ${project.organizationId} or exists (select 1 from project_grants g
        where g.instance_id = ${instanceId} and g.project_id = ${project.projectId}
          and g.granted_organization_id = u.organization_id and g.state = 'active' and g.is_recognized = 1))`);
  return row !== undefined;
}

/**
 * Finds whether the user's organization was lent the project, and whether the user has a role in it; only active
 * records count.
 */
export async function findProjectAccess(
  reader: Reader,
  instanceId: string,
  query: { readonly userId: string; readonly userOrganizationId: string; readonly projectId: string },
): Promise<{ readonly hasGrant: boolean; readonly hasRole: boolean }> {
  const row = await reader.maybe<{ hasGrant: number; hasRole: number }>(sql`select
    case when exists (select 1 from project_grants g where g.instance_id = ${instanceId}
      and g.project_id = ${query.projectId} and g.granted_organization_id = ${query.userOrganizationId}
      and g.state = 'active') then 1 else 0 end as "hasGrant",
    case when exists (select 1 from ${assignmentsOf(instanceId, query.userId)} a
      join authorization_roles r on r.instance_id = ${instanceId} and r.authorization_id = a.authorization_id
      join organizations o on o.instance_id = ${instanceId} and o.organization_id = a.organization_id
        and o.state = 'active'
      left join project_grants g on g.instance_id = ${instanceId} and g.grant_id = a.project_grant_id
      where a.project_id = ${query.projectId}
        and a.state = 'active' and (a.project_grant_id = '' or g.state = 'active')) then 1 else 0 end as "hasRole"`);
  return { hasGrant: row?.hasGrant === 1, hasRole: row?.hasRole === 1 };
}
