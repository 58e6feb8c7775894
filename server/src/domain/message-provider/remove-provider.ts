import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { deleteProvider, holdProviders } from "./message-provider.store.ts";
import { type ProviderKey, recordProviderEvent, requireProvider } from "./message-provider.ts";

/** Removes a provider with its secret, in any state. */
export function removeProvider(
  deps: { readonly database: Database },
  call: Call,
  { channel, providerId, kinds }: ProviderKey,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const held = await holdProviders(tx, channel);
    const removed = requireProvider(
      held.find((provider) => provider.providerId === providerId),
      kinds,
    );
    await deleteProvider(tx, providerId);
    const details = { ...removed.details, sequence: removed.details.sequence + 1, changedAt: tx.now };
    recordProviderEvent(tx, { ...removed, details }, "deleted");
    return details;
  });
}
