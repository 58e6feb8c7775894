import type { Reach } from "../../call/index.ts";
import {
  type List,
  list,
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
import { type ProjectRow, projectColumns, toProject } from "./project.store.ts";
import type { Project } from "./project.ts";
import type { ProjectGrantState } from "./project-grant.ts";

/** A project as one side sees it: its owner, or the organization that it was lent to. */
export interface ListedProject extends Project {
  /** Present when the row stands for a grant. */
  readonly granted?: {
    readonly organizationId: string;
    readonly organizationName: string;
    readonly state: ProjectGrantState;
  };
}

export type ProjectFilter =
  | { readonly kind: "name"; readonly method: TextMethod; readonly name: string }
  | { readonly kind: "ids"; readonly projectIds: readonly string[] }
  | {
      readonly kind: "organization";
      readonly organizationId: string;
      readonly relation: "owned" | "granted" | "owned_or_granted";
    };

export type ProjectColumn = "created_at" | "changed_at" | "name" | "project_id";

export interface ProjectListQuery {
  readonly reach: Reach;
  readonly filters: readonly ProjectFilter[];
  readonly orderBy: ProjectColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

interface Row extends ProjectRow {
  readonly grantedOrganizationId: string;
  readonly grantedOrganizationName: string;
  readonly grantedState: ProjectGrantState;
}

// Every project once for its owner, and once for each organization that it was lent to, as far as the reach goes. An
// owner sees the project itself; the list of its grants shows to whom it was lent. What is visible is a condition of
// each side, so that its indexes find it. Columns that an owned row lacks are empty.
function seenFromBothSides(instanceId: string, reach: Reach): Sql {
  const asOwner = reachFilter(reach, {
    organizationId: text("projects.organization_id"),
    projectId: text("projects.project_id"),
  });
  const asGranted = reachFilter(reach, {
    organizationId: text("g.granted_organization_id"),
    projectGrantId: text("g.grant_id"),
  });
  return sql`(
  select ${projectColumns}, '' as "grantId", '' as "grantedOrganizationId", '' as "grantedOrganizationName",
    '' as "grantedState"
  from projects where projects.instance_id = ${instanceId} and ${asOwner}
  union all
  select ${projectColumns}, g.grant_id, g.granted_organization_id, o.name, g.state
  from project_grants g
  join projects on projects.instance_id = g.instance_id and projects.project_id = g.project_id
  join organizations o on o.instance_id = g.instance_id and o.organization_id = g.granted_organization_id
  where g.instance_id = ${instanceId} and ${asGranted}
) as listed`;
}

const orders = {
  created_at: text(`listed."createdAt"`),
  changed_at: text(`listed."changedAt"`),
  name: text(`listed."name"`),
  project_id: text(`listed."projectId"`),
} as const satisfies Record<ProjectColumn, Sql>;

const isOwned = text(`listed."grantId" = ''`);
const isGranted = text(`listed."grantId" <> ''`);

/** Lists projects within the reach, owned and granted. */
export async function listProjectRows(
  reader: Reader,
  instanceId: string,
  query: ProjectListQuery,
): Promise<List<ListedProject>> {
  const { rows, total } = await readList<Row>(reader, {
    columns: text("listed.*"),
    from: seenFromBothSides(instanceId, query.reach),
    // Both sides name the instance, and what is visible.
    where: [text("1 = 1"), ...query.filters.map(toCondition)],
    orderBy: orders[query.orderBy],
    id: text(`listed."projectId" || ' ' || listed."grantId"`),
    isDescending: query.isDescending,
    page: query.page,
  });
  return { rows: rows.map(toListedProject), total };
}

function toCondition(filter: ProjectFilter): Sql {
  switch (filter.kind) {
    case "name":
      return textFilter(text(`listed."name"`), filter.method, filter.name);
    case "ids":
      return sql`listed."projectId" in ${list(filter.projectIds)}`;
    case "organization": {
      const owned = sql`(${isOwned} and listed."organizationId" = ${filter.organizationId})`;
      const granted = sql`(${isGranted} and listed."grantedOrganizationId" = ${filter.organizationId})`;
      if (filter.relation === "owned") return owned;
      return filter.relation === "granted" ? granted : sql`(${owned} or ${granted})`;
    }
    default:
      return filter satisfies never;
  }
}

function toListedProject(row: Row): ListedProject {
  const project = toProject(row);
  if (row.grantedOrganizationId === "") return project;
  const { grantedOrganizationId: organizationId, grantedOrganizationName: organizationName, grantedState: state } = row;
  return { ...project, granted: { organizationId, organizationName, state } };
}
