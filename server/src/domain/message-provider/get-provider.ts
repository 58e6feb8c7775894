import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findActiveProvider, findProvider } from "./message-provider.store.ts";
import {
  type MessageProvider,
  type ProviderChannel,
  type ProviderKey,
  type ProviderKind,
  requireProvider,
} from "./message-provider.ts";

/** Returns a provider of the instance. */
export async function getProvider(
  { database }: { readonly database: Database },
  call: Call,
  key: ProviderKey,
): Promise<MessageProvider> {
  return requireProvider(await findProvider(database.read, call.instanceId, key), key.kinds);
}

/** Returns the active provider. Throws when there is none, or when it is of another kind. */
export async function getActiveProvider(
  { database }: { readonly database: Database },
  call: Call,
  { channel, kinds }: { readonly channel: ProviderChannel; readonly kinds?: readonly ProviderKind[] },
): Promise<MessageProvider> {
  return requireProvider(await findActiveProvider(database.read, call.instanceId, channel), kinds);
}
