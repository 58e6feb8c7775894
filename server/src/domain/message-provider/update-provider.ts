import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { type CheckProviderDeps, checkProvider } from "./check-provider.ts";
import { holdProviders, updateProviderRow } from "./message-provider.store.ts";
import {
  type MessageProvider,
  type ProviderChannel,
  type ProviderConfiguration,
  type ProviderKind,
  recordProviderEvent,
  requireProvider,
} from "./message-provider.ts";
import { openProviderSecret, sealProviderSecret, secretPurpose, secretRequired } from "./provider-secret.ts";

export interface UpdateProviderDeps extends CheckProviderDeps {
  readonly database: Database;
  readonly vault: Vault;
}

type ConfigurationOf<Kind extends ProviderKind> = Extract<ProviderConfiguration, { kind: Kind }>;

export interface ProviderUpdate<Kind extends ProviderKind> {
  readonly channel: ProviderChannel;
  readonly kind: Kind;
  readonly providerId: string;
  readonly description: string;
  /**
   * Derives the new values from the current ones. When no secret is given, the present one stays if it is still sent to
   * the same server.
   */
  readonly configure: (current: ConfigurationOf<Kind>) => {
    readonly configuration: ConfigurationOf<Kind>;
    readonly secret?: Secret | undefined;
  };
}

/** Changes a provider, in any state. Without any difference it succeeds without an event. */
export function updateProvider<Kind extends ProviderKind>(
  deps: UpdateProviderDeps,
  call: Call,
  input: ProviderUpdate<Kind>,
): Promise<MessageProvider> {
  return deps.database.change(call, async (tx) => {
    const held = await holdProviders(tx, input.channel);
    const current = requireProvider(
      held.find(({ providerId }) => providerId === input.providerId),
      [input.kind],
    );
    const { configuration, secret } = input.configure(current.configuration as ConfigurationOf<Kind>);
    await checkProvider(tx, deps, configuration);
    const sealedSecret = nextSecret(tx, deps, current, configuration, secret);
    const wanted = { ...current, description: input.description, configuration, sealedSecret };
    if (isSame(current, wanted)) return current;
    const updated = await updateProviderRow(tx, wanted);
    recordProviderEvent(tx, updated, "updated");
    return updated;
  });
}

function nextSecret(
  { instanceId }: Tx,
  { vault }: UpdateProviderDeps,
  current: MessageProvider,
  configuration: ProviderConfiguration,
  given: Secret | undefined,
): string | null {
  const purpose = secretPurpose(configuration);
  if (purpose === undefined) return null;
  const isKept = purpose.of === secretPurpose(current.configuration)?.of;
  if (given === undefined) {
    if (!isKept && (current.sealedSecret !== null || purpose.isNeeded)) throw secretRequired(purpose);
    return current.sealedSecret;
  }
  // Encrypting the same secret again gives another text, which would look like a change.
  if (isKept && openProviderSecret(vault, instanceId, current)?.reveal() === given.reveal())
    return current.sealedSecret;
  return sealProviderSecret(vault, instanceId, current.providerId, given);
}

function isSame(one: MessageProvider, other: MessageProvider): boolean {
  const { description, configuration, sealedSecret } = one;
  return (
    description === other.description &&
    sealedSecret === other.sealedSecret &&
    JSON.stringify(configuration) === JSON.stringify(other.configuration)
  );
}
