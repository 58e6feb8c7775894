import type { Budgets } from "../../base/budget/budgets.ts";
import type { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import type { Vault } from "../../base/vault.ts";
import type { Database, Reader } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import type { CreateProviderClientDeps } from "../identity-provider-client/index.ts";
import type { IdentityIntent } from "./identity-intent.ts";

/** Dependencies of operations on attempts. */
export interface IntentDeps extends CreateProviderClientDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly budgets: Budgets;
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}

/**
 * Returns the provider of an attempt if users may sign in with it now, and its speaker is still the one that was asked.
 */
export async function requireActiveProvider(
  reader: Reader,
  instanceId: string,
  intent: Pick<IdentityIntent, "identityProviderId" | "speaker">,
  otherwise: () => Fault,
): Promise<IdentityProvider> {
  const provider = await findIdentityProvider(reader, instanceId, intent.identityProviderId);
  if (provider === undefined || !isOpenAt(provider, intent)) throw otherwise();
  return provider;
}

/** Whether a provider still takes part in an attempt: it is active, and its speaker is still the one that was asked. */
export const isOpenAt = (
  { state, speaker }: Pick<IdentityProvider, "state" | "speaker">,
  intent: Pick<IdentityIntent, "speaker">,
): boolean => state === "active" && speaker === intent.speaker;
