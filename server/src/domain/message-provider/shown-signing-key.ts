import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { MessageProvider } from "./message-provider.ts";
import { openProviderSecret } from "./provider-secret.ts";

/**
 * The signing key of an HTTP provider, for callers who may change the provider; who may only read learns nothing that calls could be forged
 * with.
 */
export function shownSigningKey(
  { vault }: { readonly vault: Pick<Vault, "decrypt"> },
  call: Call,
  provider: MessageProvider,
): string {
  if (call.caller?.access.allows("iam.write", {}) !== true) return "";
  return openProviderSecret(vault, call.instanceId, provider)?.reveal() ?? "";
}
