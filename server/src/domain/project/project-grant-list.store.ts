import type { Reach } from "../../call/index.ts";
import {
  type List,
  list,
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
import type { ProjectGrant, ProjectGrantState } from "./project-grant.ts";
import { listGrantRoleKeys } from "./project-grant-role.store.ts";

/** A grant with the names that a list shows. */
export interface ListedProjectGrant extends Omit<ProjectGrant, "isRecognized"> {
  readonly projectName: string;
  /** Of the owner. */
  readonly organizationName: string;
  readonly grantedOrganizationName: string;
}

export type ProjectGrantFilter =
  | { readonly kind: "ids"; readonly grantIds: readonly string[] }
  | { readonly kind: "project_name"; readonly method: TextMethod; readonly name: string }
  | { readonly kind: "role_key"; readonly method: TextMethod; readonly roleKey: string }
  | { readonly kind: "project_ids"; readonly projectIds: readonly string[] }
  | { readonly kind: "organization"; readonly organizationId: string }
  | { readonly kind: "granted_organization"; readonly organizationId: string };

export type ProjectGrantColumn = "created_at" | "changed_at" | "project_id";

export interface ProjectGrantListQuery {
  readonly reach: Reach;
  readonly filters: readonly ProjectGrantFilter[];
  readonly orderBy: ProjectGrantColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

interface Row {
  readonly grantId: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly grantedOrganizationId: string;
  readonly grantedOrganizationName: string;
  readonly state: ProjectGrantState;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

const orders = {
  created_at: text("g.created_at"),
  changed_at: text("g.changed_at"),
  project_id: text("g.project_id"),
} as const satisfies Record<ProjectGrantColumn, Sql>;

/** Lists grants within the reach, on the owner's side or on the side that a project was lent to. */
export async function listProjectGrantRows(
  reader: Reader,
  instanceId: string,
  query: ProjectGrantListQuery,
): Promise<List<ListedProjectGrant>> {
  const { rows, total } = await readList<Row>(reader, {
    columns: text(`g.grant_id as "grantId", g.project_id as "projectId", p.name as "projectName",
      g.organization_id as "organizationId", owner.name as "organizationName", g.granted_organization_id as "grantedOrganizationId",
      o.name as "grantedOrganizationName", g.state as "state", g.sequence as "sequence", g.created_at as "createdAt",
      g.changed_at as "changedAt"`),
    from: text(`project_grants g
      join projects p on p.instance_id = g.instance_id and p.project_id = g.project_id
      join organizations owner on owner.instance_id = g.instance_id and owner.organization_id = g.organization_id
      join organizations o on o.instance_id = g.instance_id and o.organization_id = g.granted_organization_id`),
    where: [
      // Each side has an index.
      sql`g.instance_id = ${instanceId} and ${isVisible(query.reach)}`,
      ...query.filters.map((filter) => toCondition(instanceId, filter)),
    ],
    orderBy: orders[query.orderBy],
    id: text("g.grant_id"),
    isDescending: query.isDescending,
    page: query.page,
  });
  const grantIds = rows.map(({ grantId }) => grantId);
  const roleKeys = await listGrantRoleKeys(reader, instanceId, grantIds);
  return {
    rows: rows.slice(0, roleKeys.size).map((row) => toListedGrant(row, roleKeys.get(row.grantId) ?? [])),
    total,
  };
}

function isVisible(reach: Reach): Sql {
  const projectGrantId = text("g.grant_id");
  const asOwner = { organizationId: text("g.organization_id"), projectId: text("g.project_id"), projectGrantId };
  const asGranted = { organizationId: text("g.granted_organization_id") };
  return sql`(${reachFilter(reach, asOwner)} or ${reachFilter(reach, asGranted)})`;
}

function toCondition(instanceId: string, filter: ProjectGrantFilter): Sql {
  switch (filter.kind) {
    case "ids":
      return sql`g.grant_id in ${list(filter.grantIds)}`;
    case "project_name":
      return textFilter(text("p.name"), filter.method, filter.name);
    case "role_key":
      return sql`exists (select ${ofAnyNumber} 1 from project_grant_roles gr where gr.instance_id = ${instanceId}
        and gr.grant_id = g.grant_id and ${textFilter(text("gr.role_key"), filter.method, filter.roleKey)})`;
    case "project_ids":
      return sql`g.project_id in ${list(filter.projectIds)}`;
    case "organization":
      return sql`g.organization_id = ${filter.organizationId}`;
    case "granted_organization":
      return sql`g.granted_organization_id = ${filter.organizationId}`;
    default:
      return filter satisfies never;
  }
}

function toListedGrant(
  { sequence, createdAt, changedAt, ...row }: Row,
  roleKeys: readonly string[],
): ListedProjectGrant {
  return { ...row, roleKeys, details: { sequence, createdAt, changedAt, ownerId: row.organizationId } };
}
