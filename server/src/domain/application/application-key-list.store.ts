import type { Reach } from "../../call/index.ts";
import { type List, type Page, type Reader, reachFilter, readList, type Sql, sql, text } from "../../database/index.ts";
import type { ApplicationKey } from "./application-key.ts";

export type ApplicationKeyFilter =
  | { readonly kind: "key"; readonly keyId: string }
  | { readonly kind: "application"; readonly applicationId: string }
  | { readonly kind: "project"; readonly projectId: string }
  | { readonly kind: "organization"; readonly organizationId: string };

export type ApplicationKeyColumn =
  | "key_id"
  | "project_id"
  | "application_id"
  | "created_at"
  | "organization_id"
  | "expires_at";

export interface ApplicationKeyListQuery {
  readonly reach: Reach;
  readonly filters: readonly ApplicationKeyFilter[];
  readonly orderBy: ApplicationKeyColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  key_id: text("k.key_id"),
  project_id: text("a.project_id"),
  application_id: text("k.application_id"),
  created_at: text("k.created_at"),
  organization_id: text("a.organization_id"),
  expires_at: text("k.expires_at"),
} as const satisfies Record<ApplicationKeyColumn, Sql>;

/** Lists the keys of applications within the reach. */
export async function listApplicationKeyRows(
  reader: Reader,
  instanceId: string,
  query: ApplicationKeyListQuery,
): Promise<List<ApplicationKey>> {
  return readList<ApplicationKey>(reader, {
    columns: text(`k.key_id as "keyId", k.application_id as "applicationId", a.project_id as "projectId",
      a.organization_id as "organizationId", a.sequence as "sequence", k.created_at as "createdAt", k.expires_at as "expiresAt"`),
    from: text(`application_keys k
      join applications a on a.instance_id = k.instance_id and a.application_id = k.application_id`),
    where: [
      sql`k.instance_id = ${instanceId}`,
      reachFilter(query.reach, { organizationId: text("a.organization_id"), projectId: text("a.project_id") }),
      ...query.filters.map(toCondition),
    ],
    orderBy: orders[query.orderBy],
    id: text("k.key_id"),
    isDescending: query.isDescending,
    page: query.page,
  });
}

function toCondition(filter: ApplicationKeyFilter): Sql {
  switch (filter.kind) {
    case "key":
      return sql`k.key_id = ${filter.keyId}`;
    case "application":
      return sql`k.application_id = ${filter.applicationId}`;
    case "project":
      return sql`a.project_id = ${filter.projectId}`;
    case "organization":
      return sql`a.organization_id = ${filter.organizationId}`;
    default:
      return filter satisfies never;
  }
}
