import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import type { Target } from "./target.ts";
import { listTargetRows, type TargetSearch } from "./target-list.store.ts";

/** Lists one page of the targets of the instance. */
export function listTargets(
  deps: { readonly database: Database },
  call: Call,
  search: TargetSearch,
): Promise<List<Target>> {
  return listTargetRows(deps.database.read, call.instanceId, search);
}
