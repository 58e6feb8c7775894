import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdProviders, updateProviderRow } from "./message-provider.store.ts";
import {
  type MessageProvider,
  type ProviderChannel,
  recordProviderEvent,
  requireProvider,
} from "./message-provider.ts";
import { openProviderSecret, sealProviderSecret } from "./provider-secret.ts";

/**
 * Sets the password of an SMTP server, or the token of Twilio, in any state of the provider. The same secret again
 * changes nothing.
 */
export function setProviderSecret(
  deps: { readonly database: Database; readonly vault: Vault },
  call: Call,
  input: {
    readonly channel: ProviderChannel;
    readonly kind: "smtp" | "twilio";
    readonly providerId: string;
    readonly secret: Secret;
  },
): Promise<MessageProvider> {
  return deps.database.change(call, async (tx) => {
    const held = await holdProviders(tx, input.channel);
    const current = requireProvider(
      held.find(({ providerId }) => providerId === input.providerId),
      [input.kind],
    );
    const { configuration } = current;
    if (configuration.kind === "smtp" && configuration.authentication.kind !== "plain") {
      throw new Fault("failed_precondition", "message_provider.password_unused");
    }
    if (openProviderSecret(deps.vault, tx.instanceId, current)?.reveal() === input.secret.reveal()) return current;
    const sealedSecret = sealProviderSecret(deps.vault, tx.instanceId, current.providerId, input.secret);
    const updated = await updateProviderRow(tx, { ...current, sealedSecret });
    recordProviderEvent(tx, updated, "secret.set");
    return updated;
  });
}
