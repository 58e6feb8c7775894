import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findHostedIntent, type HostedIntentKey } from "./hosted-intent.store.ts";
import { intentContext, type ProviderForm, type SealedRequest } from "./identity-intent.ts";

/**
 * Finds the form that this browser posts to the provider of its attempt, as long as the provider has not answered. It
 * reads only, so that the browser may come back to it.
 */
export async function findProviderForm(
  { database, vault }: { readonly database: Database; readonly vault: Pick<Vault, "decrypt"> },
  { instanceId, now }: Call,
  key: HostedIntentKey,
): Promise<ProviderForm | undefined> {
  const intent = await findHostedIntent(database.read, instanceId, key, now);
  if (intent === undefined || intent.state !== "started" || intent.stateSpentAt !== null) return undefined;
  const kept = vault.decrypt(intent.sealedRequest, intentContext(instanceId, intent.intentId, "request"));
  return (JSON.parse(kept.reveal()) as SealedRequest).form;
}
