import { byKey, list, type Reader, type Sql, sql, text } from "../../database/index.ts";

/** Who asks for tokens: the organization of a client, and the user for whom it asks. */
export interface Asker {
  readonly organizationId: string;
  /** Undefined where no user is involved, or where the client may ask for every user. */
  readonly userId?: string | undefined;
  /** Whether only grants count that the organization of the user recognized. */
  readonly needsRecognition?: boolean;
}

/** A project for which tokens are requested by a client of another project. */
export interface AudienceProject {
  readonly projectId: string;
  readonly name: string;
  readonly organizationName: string;
  /** Whether the organization of the client owns the project, or was granted it and is the user's. */
  readonly isShared: boolean;
}

interface Row extends Omit<AudienceProject, "isShared"> {
  readonly isShared: number;
}

/**
 * Lists those of the projects that exist and are active, seen from the organization of a client. A project whose chosen
 * id is the id of a client is left out: it would put a stranger's client into an audience.
 */
export async function listAudienceProjects(
  reader: Reader,
  instanceId: string,
  { projectIds, ...asker }: Asker & { readonly projectIds: readonly string[] },
): Promise<AudienceProject[]> {
  const rows = await reader.all<Row>(sql`select p.project_id as "projectId", p.name as "name",
      o.name as "organizationName",
      case when p.organization_id = ${asker.organizationId} or ${isLentTo(instanceId, "p", asker)} then 1 else 0 end as "isShared"
    ${thatCanBeAudience(instanceId, projectIds)}
    order by p.project_id`);
  return rows.map((row) => ({ ...row, isShared: row.isShared === 1 }));
}

/** Lists the ids of those of the projects that `listAudienceProjects` lists. */
export async function listAudienceProjectIds(
  reader: Reader,
  instanceId: string,
  projectIds: readonly string[],
): Promise<string[]> {
  const rows = await reader.all<{ projectId: string }>(
    byKey(instanceId, sql`select p.project_id as "projectId" ${thatCanBeAudience(instanceId, projectIds)}`),
  );
  return rows.map(({ projectId }) => projectId);
}

const thatCanBeAudience = (instanceId: string, projectIds: readonly string[]): Sql => sql`from projects p
    join organizations o on o.instance_id = p.instance_id and o.organization_id = p.organization_id
      and o.state = 'active'
    where p.instance_id = ${instanceId} and p.project_id in ${list(projectIds)} and p.state = 'active'
      and not exists (select 1 from applications a where a.instance_id = ${instanceId} and a.client_id = p.project_id)`;

/**
 * Whether a project (`project`: the alias of a table with `project_id`) is lent to the organization of
 * the client, for the user: a grant is for the users of the organization that it was made for. Those of the owner,
 * and of every third organization, have rights in the project that the grant does not lend. The owner grants it to any
 * organization without asking, so for people it counts once that organization recognized it: they would not be asked
 * before a stranger's API gets their tokens.
 */
export const isLentTo = (
  instanceId: string,
  project: "p" | "resources",
  { organizationId, userId, needsRecognition = false }: Asker,
): Sql =>
  sql`exists (select 1 from project_grants g
    where g.instance_id = ${instanceId} and g.project_id = ${text(`${project}.project_id`)}
      and g.granted_organization_id = ${organizationId} and g.state = 'active' ${ofUser(instanceId, userId)}
      ${text(needsRecognition ? "and g.is_recognized = 1" : "")})`;

const ofUser = (instanceId: string, userId: string | undefined): Sql =>
  userId === undefined
    ? text("")
    : sql`and exists (select 1 from users u where u.instance_id = ${instanceId} and u.user_id = ${userId}
        and u.organization_id = g.granted_organization_id)`;

/** Lists the organizations of those of the projects that exist, in any state. */
export function listProjectOwners(
  reader: Reader,
  instanceId: string,
  projectIds: readonly string[],
): Promise<{ readonly projectId: string; readonly organizationId: string }[]> {
  return reader.all(sql`select project_id as "projectId", organization_id as "organizationId" from projects
    where instance_id = ${instanceId} and project_id in ${list(projectIds)}`);
}
