import type { Reach } from "../../call/index.ts";
import { type Reader, sql, text } from "../../database/index.ts";
import type { ApplicationState } from "../application/index.ts";
import type { Hit, Wanted } from "./hit.ts";
import { anyOf, beginsWith, cross, readParts, visibleParts } from "./hits.store.ts";

type Row = Pick<Hit, "id" | "name" | "detail" | "organizationId"> & {
  readonly projectId: string;
  readonly state: ApplicationState;
};

/** Finds applications by name, id, client id or SAML entity id. */
export async function findApplications(
  reader: Reader,
  instanceId: string,
  { reach, wanted }: { readonly reach: Reach; readonly wanted: Wanted },
): Promise<Hit[]> {
  const table = {
    columns: text(`a.application_id as "id", a.name as "name",
      case when a.kind = 'saml' then '' else coalesce(a.client_id, '') end as "detail",
      a.organization_id as "organizationId", a.project_id as "projectId", a.state as "state"`),
    from: text("applications a"),
    instance: sql`a.instance_id = ${instanceId} and (a.application_id || '') <> ''`,
  };
  const visible = visibleParts(reach, wanted, {
    organizationId: text("a.organization_id"),
    projectId: text("a.project_id"),
  });
  const isSame = [
    sql`a.application_id = ${wanted.text}`,
    sql`a.client_id = ${wanted.text}`,
    sql`a.application_id in (select s.application_id from saml_partners s
      where s.instance_id = ${instanceId} and s.entity_id = ${wanted.text})`,
  ];
  const rows = await readParts<Row>(reader, table, [
    ...cross(isSame, anyOf(visible)),
    ...cross(beginsWith(text("a.name_key"), wanted), visible),
  ]);
  return rows.map((row) => ({ ...row, kind: "application" }));
}
