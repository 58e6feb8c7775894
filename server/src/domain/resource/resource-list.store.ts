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
import type { Resource } from "./resource.ts";
import { type ResourceRow, resourceColumns, toResource } from "./resource-row.ts";
import { parseResourceUri } from "./resource-uri.ts";

export type ResourceFilter =
  | { readonly by: "ids"; readonly resourceIds: readonly string[] }
  | { readonly by: "project"; readonly projectId: string }
  | { readonly by: "organization"; readonly organizationId: string }
  | { readonly by: "name"; readonly method: TextMethod; readonly name: string }
  /** In any spelling. */
  | { readonly by: "uri"; readonly uri: string };

export interface ResourceSearch {
  /** All of them must match. */
  readonly filters: readonly ResourceFilter[];
  readonly orderBy: "resource_id" | "name" | "created_at" | "changed_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  resource_id: text("resources.resource_id"),
  // Names are sorted without regard to case, as people look for them.
  name: text("resources.name_key"),
  created_at: text("resources.created_at"),
  changed_at: text("resources.changed_at"),
} as const satisfies Record<ResourceSearch["orderBy"], Sql>;

/** Lists the resources of projects within the reach. */
export async function listResourceRows(
  reader: Reader,
  instanceId: string,
  { reach, search }: { readonly reach: Reach; readonly search: ResourceSearch },
): Promise<List<Resource>> {
  const { rows, total } = await readList<ResourceRow>(reader, {
    columns: resourceColumns,
    from: text("resources"),
    where: [
      sql`resources.instance_id = ${instanceId}`,
      reachFilter(reach, {
        organizationId: text("resources.organization_id"),
        projectId: text("resources.project_id"),
      }),
      ...search.filters.map(toCondition),
    ],
    orderBy: orders[search.orderBy],
    id: text("resources.resource_id"),
    isDescending: search.isDescending,
    page: search.page,
  });
  return { rows: rows.map(toResource), total };
}

function toCondition(filter: ResourceFilter): Sql {
  switch (filter.by) {
    case "ids":
      return sql`resources.resource_id in ${list(filter.resourceIds)}`;
    case "project":
      return sql`resources.project_id = ${filter.projectId}`;
    case "organization":
      return sql`resources.organization_id = ${filter.organizationId}`;
    case "name":
      return textFilter(text("resources.name"), filter.method, filter.name);
    case "uri":
      return sql`resources.uri_key = ${parseResourceUri(filter.uri)?.key ?? ""}`;
    default:
      return filter satisfies never;
  }
}
