import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { type Resource, resourceAbsence } from "./resource.ts";
import { listResourceRows, type ResourceSearch } from "./resource-list.store.ts";

/** Lists the resources that the caller may read; hidden ones are not counted either. */
export async function listResources(
  deps: { readonly database: Database },
  call: Call,
  search: ResourceSearch,
): Promise<List<Resource>> {
  const reach = requireCaller(call).access.reach(resourceAbsence.readPermission);
  return listResourceRows(deps.database.read, call.instanceId, { reach, search });
}
