import type { Reach } from "../../call/index.ts";
import {
  type List,
  ofAnyNumber,
  type Page,
  type Reader,
  reachFilter,
  readList,
  type Sql,
  sql,
  type TextMethod,
  text,
  textFilter,
} from "../../database/index.ts";
import type { ProjectRole } from "./project-role.ts";

export type ProjectRoleFilter =
  | { readonly kind: "key"; readonly method: TextMethod; readonly roleKey: string }
  | { readonly kind: "display_name"; readonly method: TextMethod; readonly displayName: string }
  /** Roles that this grant lends. */
  | { readonly kind: "grant"; readonly grantId: string };

export type ProjectRoleColumn = "role_key" | "created_at" | "changed_at";

/** A role with the owner of its project. */
export interface ListedProjectRole extends ProjectRole {
  readonly organizationId: string;
}

export interface ProjectRoleListQuery {
  readonly projectId: string;
  readonly reach: Reach;
  readonly filters: readonly ProjectRoleFilter[];
  readonly orderBy: ProjectRoleColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  role_key: text("r.role_key"),
  created_at: text("r.created_at"),
  changed_at: text("r.changed_at"),
} as const satisfies Record<ProjectRoleColumn, Sql>;

/** Lists roles of a project within the reach. */
export async function listProjectRoleRows(
  reader: Reader,
  instanceId: string,
  query: ProjectRoleListQuery,
): Promise<List<ListedProjectRole>> {
  return readList<ListedProjectRole>(reader, {
    columns: text(`r.project_id as "projectId", r.role_key as "roleKey", r.display_name as "displayName",
      r.role_group as "roleGroup", r.created_at as "createdAt", r.changed_at as "changedAt", p.sequence as "sequence",
      p.organization_id as "organizationId"`),
    from: text("project_roles r join projects p on p.instance_id = r.instance_id and p.project_id = r.project_id"),
    where: [
      sql`r.instance_id = ${instanceId} and r.project_id = ${query.projectId}`,
      isVisible(instanceId, query.reach),
      ...query.filters.map((filter) => toCondition(instanceId, filter)),
    ],
    orderBy: orders[query.orderBy],
    id: text("r.role_key"),
    isDescending: query.isDescending,
    page: query.page,
  });
}

function isVisible(instanceId: string, reach: Reach): Sql {
  const asOwner = reachFilter(reach, { organizationId: text("p.organization_id"), projectId: text("p.project_id") });
  const asGranted = reachFilter(reach, {
    organizationId: text("g.granted_organization_id"),
    projectGrantId: text("g.grant_id"),
  });
  return sql`(${asOwner} or exists (select 1 from project_grants g
    join project_grant_roles gr on gr.instance_id = g.instance_id and gr.grant_id = g.grant_id
    where g.instance_id = ${instanceId} and g.project_id = r.project_id and gr.role_key = r.role_key and ${asGranted}))`;
}

function toCondition(instanceId: string, filter: ProjectRoleFilter): Sql {
  switch (filter.kind) {
    case "key":
      return textFilter(text("r.role_key"), filter.method, filter.roleKey);
    case "display_name":
      return textFilter(text("r.display_name"), filter.method, filter.displayName);
    case "grant":
      return sql`exists (select ${ofAnyNumber} 1 from project_grant_roles lent where lent.instance_id = ${instanceId}
        and lent.grant_id = ${filter.grantId} and lent.role_key = r.role_key)`;
    default:
      return filter satisfies never;
  }
}
