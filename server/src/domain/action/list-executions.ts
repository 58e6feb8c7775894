import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import type { Execution } from "./execution.ts";
import { type ExecutionSearch, listExecutionRows } from "./execution-list.store.ts";

/** Lists one page of the executions of the instance. */
export function listExecutions(
  deps: { readonly database: Database },
  call: Call,
  search: ExecutionSearch,
): Promise<List<Execution>> {
  return listExecutionRows(deps.database.read, call.instanceId, search);
}
