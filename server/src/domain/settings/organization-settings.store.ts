import {
  type List,
  list,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";

/** What instance administrators decided about one organization. */
export interface OrganizationSettings {
  readonly organizationId: string;
  /** Usernames are unique in the organization only. */
  readonly isUsernameScoped: boolean;
  readonly createdAt: number;
  readonly changedAt: number;
}

export type OrganizationSettingsFilter =
  | { readonly by: "organizations"; readonly organizationIds: readonly string[] }
  | { readonly by: "username_scope"; readonly isUsernameScoped: boolean };

export interface OrganizationSettingsSearch {
  /** All must hold. */
  readonly filters: readonly OrganizationSettingsFilter[];
  readonly orderBy: "organization_id" | "created_at" | "changed_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

type Row = Omit<OrganizationSettings, "isUsernameScoped"> & { readonly isUsernameScoped: number };

const columns = text(`organization_id as "organizationId", is_username_scoped as "isUsernameScoped",
  created_at as "createdAt", changed_at as "changedAt"`);

const orders = {
  organization_id: text("organization_id"),
  created_at: text("created_at"),
  changed_at: text("changed_at"),
} as const satisfies Record<OrganizationSettingsSearch["orderBy"], Sql>;

export async function findOrganizationSettings(
  reader: Reader,
  instanceId: string,
  organizationId: string,
): Promise<OrganizationSettings | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from organization_settings
    where instance_id = ${instanceId} and organization_id = ${organizationId}`);
  return row && toSettings(row);
}

/** Writes the settings. Returns whether that changed anything. */
export async function putOrganizationSettings(
  tx: Tx,
  settings: Pick<OrganizationSettings, "organizationId" | "isUsernameScoped">,
): Promise<boolean> {
  const count = await tx.run(sql`insert into organization_settings (instance_id, organization_id, is_username_scoped,
      created_at, changed_at)
    values (${tx.instanceId}, ${settings.organizationId}, ${settings.isUsernameScoped}, ${tx.now}, ${tx.now})
    on conflict (instance_id, organization_id) do update
      set is_username_scoped = excluded.is_username_scoped, changed_at = excluded.changed_at
      where organization_settings.is_username_scoped <> excluded.is_username_scoped`);
  return count > 0;
}

/** Removes the settings of an organization. Returns whether there were any. */
export async function deleteOrganizationSettingsRow(tx: Tx, organizationId: string): Promise<boolean> {
  const count = await tx.run(sql`delete from organization_settings
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
  return count > 0;
}

export async function listOrganizationSettingsRows(
  reader: Reader,
  instanceId: string,
  search: OrganizationSettingsSearch,
): Promise<List<OrganizationSettings>> {
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("organization_settings"),
    where: [sql`instance_id = ${instanceId}`, ...search.filters.map(toCondition)],
    orderBy: orders[search.orderBy],
    id: text("organization_id"),
    isDescending: search.isDescending,
    page: search.page,
  });
  return { rows: rows.map(toSettings), total };
}

function toCondition(filter: OrganizationSettingsFilter): Sql {
  return filter.by === "organizations"
    ? sql`organization_id in ${list(filter.organizationIds)}`
    : sql`is_username_scoped = ${filter.isUsernameScoped}`;
}

const toSettings = (row: Row): OrganizationSettings => ({ ...row, isUsernameScoped: row.isUsernameScoped === 1 });
