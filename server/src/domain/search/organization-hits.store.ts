import type { Reach } from "../../call/index.ts";
import { list, type Reader, sql, text } from "../../database/index.ts";
import type { OrganizationState } from "../organization/index.ts";
import type { Hit, Wanted } from "./hit.ts";
import { anyOf, beginsWith, cross, readParts, visibleParts } from "./hits.store.ts";

type Row = Pick<Hit, "id" | "name" | "detail"> & { readonly state: OrganizationState };

/** Finds organizations by name, proven domain or id. */
export async function findOrganizations(
  reader: Reader,
  instanceId: string,
  { reach, wanted }: { readonly reach: Reach; readonly wanted: Wanted },
): Promise<Hit[]> {
  const table = {
    columns: text(`o.organization_id as "id", o.name as "name", o.primary_domain as "detail", o.state as "state"`),
    from: text("organizations o"),
    instance: sql`o.instance_id = ${instanceId}`,
  };
  const visible = visibleParts(reach, wanted, { organizationId: text("o.organization_id") });
  const domains = beginsWith(text("d.domain"), wanted).map((begins) => {
    const named = sql`select d.organization_id from organization_domains d
      where d.instance_id = ${instanceId} and d.is_proven = 1 and ${begins}`;
    return sql`o.organization_id in (${named})`;
  });
  const rows = await readParts<Row>(reader, table, [
    ...cross([sql`o.organization_id = ${wanted.text}`], anyOf(visible)),
    ...cross([...beginsWith(text("o.name_key"), wanted), ...domains], visible),
  ]);
  return rows.map((row) => ({ ...row, kind: "organization", organizationId: row.id }));
}

/** Returns the names of organizations, by id. */
export async function readOrganizationNames(
  reader: Reader,
  instanceId: string,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (organizationIds.length === 0) return new Map();
  const rows = await reader.all<{
    organizationId: string;
    name: string;
  }>(sql`select organization_id as "organizationId",
      name as "name" from organizations where instance_id = ${instanceId} and organization_id in ${list(organizationIds)}`);
  return new Map(rows.map(({ organizationId, name }) => [organizationId, name]));
}
