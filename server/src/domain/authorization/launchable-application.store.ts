import { type Reader, sql } from "../../database/index.ts";

export interface LaunchableApplication {
  readonly clientId: string;
  readonly name: string;
}

/**
 * Lists the applications that a user may open from the start page. Those of another organization, except of the default
 * one, only once the user's own organization recognized a grant of the project. Any organization may lend its projects
 * to all others and assign roles to their users, and a link on this page looks like one of ours.
 */
export async function listLaunchable(
  reader: Reader,
  instanceId: string,
  user: { readonly userId: string; readonly organizationId: string },
  limit: number,
): Promise<LaunchableApplication[]> {
  return reader.all<LaunchableApplication>(sql`select c.client_id as "clientId", c.name as "name" from (
      select a.client_id, a.name, a.name_key, a.application_id,
        case when p.organization_id = ${user.organizationId} then 0 else 1 end as is_foreign,
        case when p.organization_id in (${user.organizationId}, (select i.default_organization_id from instances i
            where i.instance_id = ${instanceId})) or exists (select 1 from project_grants g
          where g.instance_id = ${instanceId} and g.project_id = a.project_id and g.state = 'active' and g.is_recognized = 1
            and g.granted_organization_id = ${user.organizationId}) then 1 else 0 end as is_known,
        p.is_authorization_required as needs_role, p.is_project_access_required as needs_access,
        case when p.organization_id = ${user.organizationId} or exists (select 1 from project_grants g
          where g.instance_id = ${instanceId} and g.project_id = a.project_id
            and g.granted_organization_id = ${user.organizationId} and g.state = 'active') then 1 else 0 end as has_access,
        case when exists (select 1 from authorizations z
          join authorization_roles r on r.instance_id = z.instance_id and r.authorization_id = z.authorization_id
          join organizations zo on zo.instance_id = z.instance_id and zo.organization_id = z.organization_id
            and zo.state = 'active'
          left join project_grants g on g.instance_id = z.instance_id and g.grant_id = z.project_grant_id
          where z.instance_id = ${instanceId} and (z.user_id = ${user.userId} or (z.group_id <> '' and z.group_id in
              (select m.group_id from user_group_members m where m.instance_id = ${instanceId}
                and m.user_id = ${user.userId}))) and z.project_id = a.project_id
            and z.state = 'active' and (z.project_grant_id = '' or g.state = 'active')) then 1 else 0 end as has_role
      from applications a
      join projects p on p.instance_id = a.instance_id and p.project_id = a.project_id and p.state = 'active'
      join organizations o on o.instance_id = a.instance_id and o.organization_id = p.organization_id and o.state = 'active'
      where a.instance_id = ${instanceId} and a.initiates_login = 1 and a.state = 'active' and a.kind = 'oidc') c
    where c.is_known = 1 and (c.has_access = 1 or c.has_role = 1) and (c.needs_role = 0 or c.has_role = 1)
      and (c.needs_access = 0 or c.has_access = 1)
    order by c.is_foreign, c.name_key, c.application_id limit ${limit}`);
}
