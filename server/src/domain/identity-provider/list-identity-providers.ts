import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { authorizeReading } from "./authorize-providers.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { listProviderRows, type ProviderSearch } from "./identity-provider-list.store.ts";

/**
 * Lists the providers that an organization can use, its own and the instance's; only the instance's when the
 * organization is empty.
 */
export async function listIdentityProviders(
  { database }: { readonly database: Database },
  call: Call,
  search: ProviderSearch,
): Promise<List<IdentityProvider>> {
  await authorizeReading(database.read, call, search.organizationId);
  return listProviderRows(database.read, call.instanceId, search);
}
