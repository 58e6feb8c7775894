import type { Reach } from "../../call/index.ts";
import { type Reader, sql, text } from "../../database/index.ts";
import type { Hit, Wanted } from "./hit.ts";
import { anyOf, beginsWith, cross, readParts, visibleParts } from "./hits.store.ts";

type Row = Pick<Hit, "id" | "name" | "detail" | "organizationId">;

/** Finds groups by name or id. */
export async function findGroups(
  reader: Reader,
  instanceId: string,
  { reach, wanted }: { readonly reach: Reach; readonly wanted: Wanted },
): Promise<Hit[]> {
  const table = {
    columns: text(
      `g.group_id as "id", g.name as "name", g.description as "detail", g.organization_id as "organizationId"`,
    ),
    from: text("user_groups g"),
    instance: sql`g.instance_id = ${instanceId} and (g.group_id || '') <> ''`,
  };
  const visible = visibleParts(reach, wanted, { organizationId: text("g.organization_id") });
  const rows = await readParts<Row>(reader, table, [
    ...cross([sql`g.group_id = ${wanted.text}`], anyOf(visible)),
    ...cross(beginsWith(text("g.name_key"), wanted), visible),
  ]);
  return rows.map((row) => ({ ...row, kind: "group" }));
}
