import type { Reach } from "../../call/index.ts";
import {
  type List,
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
import type { Application, ApplicationKind, ApplicationState } from "./application.ts";
import { type ApplicationRow, applicationColumns, toApplication } from "./application-row.ts";

export type ApplicationFilter =
  | { readonly kind: "project"; readonly projectId: string }
  | { readonly kind: "name"; readonly method: TextMethod; readonly name: string }
  | { readonly kind: "state"; readonly state: ApplicationState }
  | { readonly kind: "type"; readonly type: ApplicationKind }
  | { readonly kind: "client_id"; readonly clientId: string }
  | { readonly kind: "entity_id"; readonly entityId: string }
  /** Matches nothing: a state or a type that no application can have. */
  | { readonly kind: "none" };

export type ApplicationColumn = "application_id" | "name" | "state" | "created_at" | "changed_at";

export interface ApplicationListQuery {
  readonly reach: Reach;
  readonly filters: readonly ApplicationFilter[];
  readonly orderBy: ApplicationColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  application_id: text("applications.application_id"),
  name: text("applications.name"),
  // In the order of the enumeration: active before inactive.
  state: text("applications.state"),
  created_at: text("applications.created_at"),
  changed_at: text("applications.changed_at"),
} as const satisfies Record<ApplicationColumn, Sql>;

/** Lists the applications within the reach. */
export async function listApplicationRows(
  reader: Reader,
  instanceId: string,
  query: ApplicationListQuery,
): Promise<List<Application>> {
  const { rows, total } = await readList<ApplicationRow>(reader, {
    columns: applicationColumns,
    from: text("applications"),
    where: [
      sql`applications.instance_id = ${instanceId}`,
      reachFilter(query.reach, {
        organizationId: text("applications.organization_id"),
        projectId: text("applications.project_id"),
      }),
      ...query.filters.map((filter) => toCondition(instanceId, filter)),
    ],
    orderBy: orders[query.orderBy],
    id: text("applications.application_id"),
    isDescending: query.isDescending,
    page: query.page,
    weight: text("length(applications.configuration)"),
  });
  return { rows: rows.map(toApplication), total };
}

function toCondition(instanceId: string, filter: ApplicationFilter): Sql {
  switch (filter.kind) {
    case "project":
      return sql`applications.project_id = ${filter.projectId}`;
    case "name":
      return textFilter(text("applications.name"), filter.method, filter.name);
    case "state":
      return sql`applications.state = ${filter.state}`;
    case "type":
      return sql`applications.kind = ${filter.type}`;
    case "client_id":
      return sql`applications.client_id = ${filter.clientId}`;
    case "entity_id":
      return sql`applications.application_id in (select p.application_id from saml_partners p
        where p.instance_id = ${instanceId} and p.entity_id = ${filter.entityId})`;
    case "none":
      return text("1 = 0");
    default:
      return filter satisfies never;
  }
}
