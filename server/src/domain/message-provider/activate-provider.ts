import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { holdProviders, updateProviderState } from "./message-provider.store.ts";
import { type ProviderKey, recordProviderEvent, requireProvider } from "./message-provider.ts";

/**
 * Makes a provider the active one of its channel, in place of the one before. Activating the active provider changes
 * nothing.
 */
export function activateProvider(
  deps: { readonly database: Database },
  call: Call,
  { channel, providerId, kinds }: ProviderKey,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const held = await holdProviders(tx, channel);
    const wanted = requireProvider(
      held.find((provider) => provider.providerId === providerId),
      kinds,
    );
    if (wanted.state === "active") return wanted.details;
    for (const other of held) {
      if (other.state === "active") {
        recordProviderEvent(tx, await updateProviderState(tx, other.providerId, "inactive"), "deactivated");
      }
    }
    const activated = await updateProviderState(tx, providerId, "active");
    recordProviderEvent(tx, activated, "activated");
    return activated.details;
  });
}
