import {
  type List,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  type TextMethod,
  text,
  textFilter,
} from "../../database/index.ts";
import { type ScriptRow, scriptColumns, toScript } from "./script.store.ts";
import type { Script, ScriptState } from "./script.ts";

export type ScriptFilter =
  | { readonly by: "id"; readonly scriptId: string }
  | { readonly by: "name"; readonly method: TextMethod; readonly name: string }
  | { readonly by: "state"; readonly state: ScriptState };

export interface ScriptSearch {
  readonly organizationId: string;
  readonly filters: readonly ScriptFilter[];
  readonly orderBy: "created_at" | "name" | "id" | "state";
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  created_at: text("scripts.created_at"),
  // Names are sorted without regard to case, as people look for them.
  name: text("scripts.name_key"),
  id: text("scripts.script_id"),
  // As the interface numbers them: inactive first.
  state: text("case scripts.state when 'inactive' then 1 else 2 end"),
} as const satisfies Record<ScriptSearch["orderBy"], Sql>;

export async function listScriptRows(
  reader: Reader,
  instanceId: string,
  { organizationId, filters, orderBy, isDescending, page }: ScriptSearch,
): Promise<List<Script>> {
  const { rows, total } = await readList<ScriptRow>(reader, {
    columns: scriptColumns,
    from: text("scripts"),
    where: [
      sql`scripts.instance_id = ${instanceId} and scripts.organization_id = ${organizationId}`,
      ...filters.map(toCondition),
    ],
    orderBy: orders[orderBy],
    id: text("scripts.script_id"),
    isDescending,
    page,
    weight: text("length(scripts.script)"),
  });
  return { rows: rows.map(toScript), total };
}

function toCondition(filter: ScriptFilter): Sql {
  switch (filter.by) {
    case "id":
      return sql`scripts.script_id = ${filter.scriptId}`;
    case "name":
      return textFilter(text("scripts.name"), filter.method, filter.name);
    case "state":
      return sql`scripts.state = ${filter.state}`;
    default:
      return filter satisfies never;
  }
}
