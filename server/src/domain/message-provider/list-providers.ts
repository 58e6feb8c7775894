import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { listProviderRows, type ProviderListQuery } from "./message-provider.store.ts";
import type { MessageProvider } from "./message-provider.ts";

/** Lists the providers of the instance by creation. */
export function listProviders(
  deps: { readonly database: Database },
  call: Call,
  query: ProviderListQuery,
): Promise<List<MessageProvider>> {
  return listProviderRows(deps.database.read, call.instanceId, query);
}
