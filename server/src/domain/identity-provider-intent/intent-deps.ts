import type { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import type { Vault } from "../../base/vault.ts";
import type { Database, Reader } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import type { CreateProviderClientDeps } from "../identity-provider-client/index.ts";

/** Dependencies of operations on attempts. */
export interface IntentDeps extends CreateProviderClientDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}

/** Returns the provider if users may sign in with it now. */
export async function requireActiveProvider(
  reader: Reader,
  instanceId: string,
  identityProviderId: string,
  otherwise: () => Fault,
): Promise<IdentityProvider> {
  const provider = await findIdentityProvider(reader, instanceId, identityProviderId);
  if (provider?.state !== "active") throw otherwise();
  return provider;
}
