import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { findTarget } from "./target.store.ts";
import { targetAbsent } from "./target.ts";
import { listTargetKeyRows, type TargetKeySearch } from "./target-key.store.ts";
import type { TargetKey } from "./target-key.ts";

/** Lists one page of the public keys of a target. Throws the Fault `target.not_found`. */
export async function listTargetKeys(
  deps: { readonly database: Database },
  call: Call,
  search: TargetKeySearch,
): Promise<List<TargetKey>> {
  const { read } = deps.database;
  if ((await findTarget(read, call.instanceId, search.targetId)) === undefined) throw targetAbsent("targetId");
  return listTargetKeyRows(read, call.instanceId, search);
}
