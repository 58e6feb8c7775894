import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import { type IdentityProvider, secretContext } from "./identity-provider.ts";

/**
 * The secret of our client at a provider, for who sends it there; undefined when there is none. Throws VaultError when the row was altered
 * or its master key is gone.
 */
export function openProviderSecret(
  vault: Pick<Vault, "decrypt">,
  { instanceId, identityProviderId, sealedSecret }: IdentityProvider,
): Secret | undefined {
  return sealedSecret === null ? undefined : vault.decrypt(sealedSecret, secretContext(instanceId, identityProviderId));
}

/** The secret as it is stored. */
export function sealProviderSecret(
  vault: Pick<Vault, "encrypt">,
  { instanceId, identityProviderId }: Pick<IdentityProvider, "instanceId" | "identityProviderId">,
  secret: Secret,
): string {
  return vault.encrypt(secret, secretContext(instanceId, identityProviderId));
}
