import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { MessageProvider } from "./message-provider.ts";
import { openProviderSecret } from "./provider-secret.ts";

/**
 * Returns the signing key of an HTTP provider to callers who may change the provider. A caller who may only read it
 * learns nothing with which calls could be forged.
 */
export function shownSigningKey(
  { vault }: { readonly vault: Pick<Vault, "decrypt"> },
  call: Call,
  provider: MessageProvider,
): string {
  if (call.caller?.access.allows("iam.write", {}) !== true) return "";
  return openProviderSecret(vault, call.instanceId, provider)?.reveal() ?? "";
}
