import type { IdGenerator } from "../../base/id.ts";
import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type CheckProviderDeps, checkProvider } from "./check-provider.ts";
import { insertProvider } from "./message-provider.store.ts";
import {
  type MessageProvider,
  type ProviderChannel,
  type ProviderConfiguration,
  recordProviderEvent,
} from "./message-provider.ts";
import { sealProviderSecret, secretPurpose, secretRequired } from "./provider-secret.ts";

export interface AddProviderDeps extends CheckProviderDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly vault: Vault;
}

export interface NewProvider {
  readonly channel: ProviderChannel;
  readonly description: string;
  readonly configuration: ProviderConfiguration;
  readonly secret?: Secret | undefined;
}

/** Adds an inactive provider. Rejects, naming the field, a configuration that could never send. */
export function addProvider(deps: AddProviderDeps, call: Call, input: NewProvider): Promise<MessageProvider> {
  const { secret, ...rest } = input;
  return deps.database.change(call, async (tx) => {
    await checkProvider(tx, deps, input.configuration);
    const purpose = secretPurpose(input.configuration);
    if (purpose?.isNeeded === true && secret === undefined) throw secretRequired(purpose);
    const providerId = deps.newId();
    const added = await insertProvider(tx, {
      ...rest,
      providerId,
      sealedSecret:
        secret === undefined || purpose === undefined
          ? null
          : sealProviderSecret(deps.vault, tx.instanceId, providerId, secret),
    });
    recordProviderEvent(tx, added, "created");
    return added;
  });
}
