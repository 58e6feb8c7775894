import type { Reach } from "../../call/index.ts";
import { list, type Reader, readList, type Sql, sql, text, textFilter } from "../../database/index.ts";
import { columns, type OrganizationRow, toOrganization } from "./organization.store.ts";
import type { Organization } from "./organization.ts";
import type { OrganizationFilter, OrganizationSearch } from "./organization-search.ts";

const orders = {
  // Names are ordered as people look for them: without regard to case.
  name: text("name_key"),
  created_at: text("created_at"),
} as const satisfies Record<OrganizationSearch["orderBy"], Sql>;

export async function listOrganizationRows(
  reader: Reader,
  instanceId: string,
  { reach, search }: { readonly reach: Reach; readonly search: OrganizationSearch },
): Promise<{ organizations: Organization[]; total: number }> {
  const { rows, total } = await readList<OrganizationRow>(reader, {
    columns,
    from: text("organizations"),
    where: [
      sql`instance_id = ${instanceId}`,
      ...(reach.everywhere ? [] : [sql`organization_id in ${list(reach.organizationIds)}`]),
      ...search.filters.map(toCondition),
    ],
    orderBy: orders[search.orderBy],
    id: text("organization_id"),
    isDescending: search.isDescending,
    page: search.page,
  });
  return { organizations: rows.map(toOrganization), total };
}

function toCondition(filter: OrganizationFilter): Sql {
  switch (filter.by) {
    case "name":
      return textFilter(text("name"), filter.method, filter.name);
    case "domain":
      return sql`exists (select 1 from organization_domains d where d.instance_id = organizations.instance_id
        and d.organization_id = organizations.organization_id
        and ${textFilter(text("d.domain"), filter.method, filter.domain)})`;
    case "state":
      return filter.state === undefined ? sql`1 = 0` : sql`state = ${filter.state}`;
    case "id":
      return sql`organization_id = ${filter.organizationId}`;
    case "default":
      return sql`exists (select 1 from instances i where i.instance_id = organizations.instance_id
        and i.default_organization_id = organizations.organization_id)`;
    default:
      return filter satisfies never;
  }
}
