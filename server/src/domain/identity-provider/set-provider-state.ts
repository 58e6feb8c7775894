import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { refuseLossOfProvider } from "../settings/index.ts";
import { changeProvider, holdProvider, type ProviderKey } from "./change-provider.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/**
 * Stops all sign-ins with a provider until it is activated again, or activates it. Setting the current state again
 * changes nothing. Refuses to stop the last way that login settings leave.
 */
export function setProviderState(
  deps: { readonly database: Database },
  call: Call,
  { state, ...key }: ProviderKey & Pick<IdentityProvider, "state">,
): Promise<IdentityProvider> {
  return deps.database.change(call, async (tx) => {
    const current = await holdProvider(tx, key);
    const changed = await changeProvider(tx, current, { state }, state === "active" ? "reactivated" : "deactivated");
    if (state === "inactive") await refuseLossOfProvider(tx, current.ownerOrganizationId);
    return changed;
  });
}
