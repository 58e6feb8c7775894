import type { Access } from "../../call/index.ts";
import { type Reader, type Sql, sql, text } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import type { Hit, Wanted } from "./hit.ts";
import { anyOf, beginsWith, cross, readParts, visibleParts } from "./hits.store.ts";

type Row = Pick<Hit, "id" | "name" | "detail" | "organizationId"> & { readonly state: IdentityProvider["state"] };

/** Finds identity providers by name or id. */
export async function findIdentityProviders(
  reader: Reader,
  instanceId: string,
  { access, wanted }: { readonly access: Access; readonly wanted: Wanted },
): Promise<Hit[]> {
  const table = {
    columns: text(`i.identity_provider_id as "id", i.name as "name", i.kind as "detail",
      i.organization_id as "organizationId", i.state as "state"`),
    from: text("identity_providers i"),
    instance: sql`i.instance_id = ${instanceId} and (i.identity_provider_id || '') <> ''`,
  };
  const visible = visibleProviders(access, wanted);
  const rows = await readParts<Row>(reader, table, [
    ...cross([sql`i.identity_provider_id = ${wanted.text}`], anyOf(visible)),
    ...cross(beginsWith(text("i.name_key"), wanted), visible),
  ]);
  return rows.map((row) => ({ ...row, kind: "identity_provider" }));
}

/** The list of an organization's providers also has those of the instance. */
function visibleProviders(access: Access, wanted: Wanted): Sql[] {
  const organizationId = text("i.organization_id");
  const reach = access.reach("org.idp.read");
  const isOfInstance =
    wanted.organizationId === undefined &&
    (access.allows("iam.idp.read", {}) || reach.everywhere || reach.organizationIds.length > 0);
  const ofOrganizations = visibleParts(reach, wanted, { organizationId });
  // Those of the instance are among all.
  if (reach.everywhere && wanted.organizationId === undefined) return ofOrganizations;
  return [...(isOfInstance ? [text("i.organization_id = ''")] : []), ...ofOrganizations];
}
