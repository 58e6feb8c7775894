import { type Reader, type Sql, sql, text } from "../../database/index.ts";

export interface LaunchableApplication {
  readonly clientId: string;
  readonly name: string;
}

interface Launching {
  readonly instanceId: string;
  readonly userId: string;
  readonly organizationId: string;
}

/** Applications that are looked at: of the user's organization, of the default one, and of lent projects. */
const mostOfEach = 1_000;

/** Where we can start a sign-in. Written as in the indexes that have only these. */
const isLaunchable = text("x.initiates_login = 1 and x.state = 'active' and x.kind = 'oidc'");

/**
 * Lists the applications that a user may open from the start page. Those of another organization, except of the default
 * one, only once the user's own organization recognized a grant of the project. Any organization may lend its projects
 * to all others and assign roles to their users, and a link on this page looks like one of ours. Of an organization
 * with very many, the first by name count, so that the page costs no more for them.
 */
export async function listLaunchable(
  reader: Reader,
  instanceId: string,
  user: { readonly userId: string; readonly organizationId: string },
  limit: number,
): Promise<LaunchableApplication[]> {
  const launching = { instanceId, ...user };
  return reader.all<LaunchableApplication>(sql`select c.client_id as "clientId", c.name as "name" from (
      ${ofOwnOrganization(launching)} union ${ofDefaultOrganization(launching)} union ${ofLentProjects(launching, limit)}) c
    order by c.is_foreign, c.name_key, c.application_id limit ${limit}`);
}

function ofOwnOrganization(launching: Launching): Sql {
  const { instanceId, organizationId } = launching;
  return sql`select f.client_id, f.name, f.name_key, f.application_id, 0 as is_foreign
    from ${firstOf(instanceId, sql`${organizationId}`)} f ${withProject(instanceId)}
    where p.is_authorization_required = 0 or ${hasRole(launching)}`;
}

function ofDefaultOrganization(launching: Launching): Sql {
  const { instanceId, organizationId } = launching;
  const defaultOrganization = sql`(select i.default_organization_id from instances i
    where i.instance_id = ${instanceId} and i.default_organization_id <> ${organizationId})`;
  return sql`select f.client_id, f.name, f.name_key, f.application_id, 1 as is_foreign
    from ${firstOf(instanceId, defaultOrganization)} f ${withProject(instanceId)}
    where ((p.is_authorization_required = 0 and ${isLent(launching)}) or ${hasRole(launching)})
      and (p.is_project_access_required = 0 or ${isLent(launching)})`;
}

// Each project has as many as a page may show, so that none of them takes the turns of the others.
function ofLentProjects(launching: Launching, limit: number): Sql {
  const { instanceId, organizationId } = launching;
  return sql`select f.client_id, f.name, f.name_key, f.application_id, 1 as is_foreign
    from (select x.client_id, x.name, x.name_key, x.application_id, x.project_id from (
        select g.project_id, coalesce((select x.name_key from applications x
            where x.instance_id = ${instanceId} and x.project_id = g.project_id and ${isLaunchable}
            order by x.name_key limit 1 offset ${limit - 1}), ${lastText}) as last_key
          from project_grants g
          where g.instance_id = ${instanceId} and g.granted_organization_id = ${organizationId}
            and g.organization_id <> ${organizationId} and g.state = 'active' and g.is_recognized = 1
          order by g.project_id limit ${mostOfEach}) l
        join applications x on x.instance_id = ${instanceId} and x.project_id = l.project_id and x.name_key <= l.last_key
          and ${isLaunchable}
        limit ${mostOfEach}) f ${withProject(instanceId)}
    where p.is_authorization_required = 0 or ${hasRole(launching)}`;
}

/** Sorts after all other texts, by their bytes. */
const lastText = "\u{10ffff}";

const firstOf = (instanceId: string, organizationId: Sql): Sql =>
  sql`(select x.client_id, x.name, x.name_key, x.application_id, x.project_id from applications x
    where x.instance_id = ${instanceId} and x.organization_id = ${organizationId} and ${isLaunchable}
    order by x.name_key, x.application_id limit ${mostOfEach})`;

const withProject = (instanceId: string): Sql => sql`join projects p on p.instance_id = ${instanceId}
      and p.project_id = f.project_id and p.state = 'active'
    join organizations o on o.instance_id = ${instanceId} and o.organization_id = p.organization_id and o.state = 'active'`;

const isLent = ({ instanceId, organizationId }: Launching): Sql => sql`exists (select 1 from project_grants g
    where g.instance_id = ${instanceId} and g.project_id = p.project_id
      and g.granted_organization_id = ${organizationId} and g.state = 'active')`;

/**
 * Whether the user has a role in the project, themselves or as one of a group. What groups have is read once, and not
 * for each application: a user may be in any number of groups.
 */
function hasRole({ instanceId, userId }: Launching): Sql {
  const counts = sql`z.state = 'active' and (z.project_grant_id = '' or g.state = 'active')`;
  const grant = sql`left join project_grants g on g.instance_id = z.instance_id and g.grant_id = z.project_grant_id`;
  return sql`(exists (select 1 from authorizations z
        join authorization_roles r on r.instance_id = z.instance_id and r.authorization_id = z.authorization_id
        join organizations zo on zo.instance_id = z.instance_id and zo.organization_id = z.organization_id
          and zo.state = 'active'
        ${grant}
        where z.instance_id = ${instanceId} and z.user_id = ${userId} and z.project_id = p.project_id and ${counts})
      or p.project_id in (${projectsOfGroups({ instanceId, userId }, sql`${grant} where ${counts}`)}))`;
}

// `cross join`: SQLite reads in this order, whatever it knows of the tables. Of each assignment one role is looked for,
// however many it has.
const projectsOfGroups = ({ instanceId, userId }: Pick<Launching, "instanceId" | "userId">, counting: Sql): Sql =>
  sql`select z.project_id from user_group_members m cross join authorizations z cross join organizations zo ${counting}
      and m.instance_id = ${instanceId} and m.user_id = ${userId}
      and z.instance_id = ${instanceId} and z.group_id = m.group_id and z.group_id <> ''
      and zo.instance_id = ${instanceId} and zo.organization_id = z.organization_id and zo.state = 'active'
      and exists (select 1 from authorization_roles r
        where r.instance_id = ${instanceId} and r.authorization_id = z.authorization_id)`;
