import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { holdProviders, updateProviderState } from "./message-provider.store.ts";
import { type ProviderKey, recordProviderEvent, requireProvider } from "./message-provider.ts";

/** Stops a provider from sending; queued messages stay queued. Deactivating an inactive provider changes nothing. */
export function deactivateProvider(
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
    if (wanted.state === "inactive") return wanted.details;
    const deactivated = await updateProviderState(tx, providerId, "inactive");
    recordProviderEvent(tx, deactivated, "deactivated");
    return deactivated.details;
  });
}
