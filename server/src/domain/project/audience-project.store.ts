import { list, type Reader, sql } from "../../database/index.ts";

/** A project for which tokens are requested by a client of another project. */
export interface AudienceProject {
  readonly projectId: string;
  readonly name: string;
  readonly organizationName: string;
  /** Whether the organization of the client owns the project, or was granted it. */
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
  { projectIds, organizationId }: { readonly projectIds: readonly string[]; readonly organizationId: string },
): Promise<AudienceProject[]> {
  const rows = await reader.all<Row>(sql`select p.project_id as "projectId", p.name as "name",
      o.name as "organizationName",
      case when p.organization_id = ${organizationId} or exists (select 1 from project_grants g
        where g.instance_id = p.instance_id and g.project_id = p.project_id
          and g.granted_organization_id = ${organizationId} and g.state = 'active') then 1 else 0 end as "isShared"
    from projects p
    join organizations o on o.instance_id = p.instance_id and o.organization_id = p.organization_id
      and o.state = 'active'
    where p.instance_id = ${instanceId} and p.project_id in ${list(projectIds)} and p.state = 'active'
      and not exists (select 1 from applications a where a.instance_id = p.instance_id and a.client_id = p.project_id)
    order by p.project_id`);
  return rows.map((row) => ({ ...row, isShared: row.isShared === 1 }));
}
