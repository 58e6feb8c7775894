import { type Call, requirePermission } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import type { Script } from "./script.ts";
import { listScriptRows, type ScriptSearch } from "./script-list.store.ts";

/** Lists the scripts of an organization, for callers who may read them. */
export function listScripts(
  deps: { readonly database: Database },
  call: Call,
  search: ScriptSearch,
): Promise<List<Script>> {
  requirePermission(call, "org.action.read", { organizationId: search.organizationId });
  return listScriptRows(deps.database.read, call.instanceId, search);
}
