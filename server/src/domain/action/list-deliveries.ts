import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import type { ListedDelivery } from "./delivery.ts";
import { type DeliverySearch, listDeliveryRows } from "./delivery-list.store.ts";
import { findTarget } from "./target.store.ts";
import { targetAbsent } from "./target.ts";

/** Lists one page of the deliveries to a target, pending and past. Throws the Fault `target.not_found`. */
export async function listDeliveries(
  deps: { readonly database: Database },
  call: Call,
  search: DeliverySearch,
): Promise<List<ListedDelivery>> {
  const { read } = deps.database;
  if ((await findTarget(read, call.instanceId, search.targetId)) === undefined) throw targetAbsent("targetId");
  return listDeliveryRows(read, call.instanceId, search);
}
