import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import { type IdentityProvider, secretContext } from "./identity-provider.ts";
import { type ProviderConfiguration, rulesOf } from "./provider-kinds.ts";

type SealedSecret = Pick<IdentityProvider, "instanceId" | "identityProviderId" | "sealedSecret">;

const clientSecret = { field: "clientSecret", missing: { slug: "identity_provider.secret_required" } };

/**
 * Decrypts the secret of our client at a provider, for requests to that provider; undefined when there is none. Throws
 * VaultError when the row was altered or its master key is missing.
 */
export function openProviderSecret(
  vault: Pick<Vault, "decrypt">,
  { instanceId, identityProviderId, sealedSecret }: SealedSecret,
): Secret | undefined {
  return sealedSecret === null ? undefined : vault.decrypt(sealedSecret, secretContext(instanceId, identityProviderId));
}

/**
 * Returns the secret to store with a configuration. When none is given, the present one stays only if it is still sent
 * to the same server: otherwise a caller with write permission could have it sent to a server of their own.
 */
export function nextSecret(
  { vault }: { readonly vault: Vault },
  current: SealedSecret & { readonly configuration: ProviderConfiguration | undefined },
  configuration: ProviderConfiguration,
  given: Secret | undefined,
): string | null {
  const destination = destinationOf(configuration);
  if (destination === undefined) return null;
  const isKept = current.configuration !== undefined && destinationOf(current.configuration) === destination;
  if (given === undefined) {
    if (isKept && current.sealedSecret !== null) return current.sealedSecret;
    const { field, missing } = rulesOf(configuration).secretRules ?? clientSecret;
    throw new Fault("invalid_argument", missing.slug, { field });
  }
  refuseUnfitSecret(configuration, given);
  // Encrypting the same secret again gives another text, which would look like a change.
  if (isKept && openProviderSecret(vault, current)?.reveal() === given.reveal()) return current.sealedSecret;
  return sealProviderSecret(vault, current, given);
}

function refuseUnfitSecret(configuration: ProviderConfiguration, secret: Secret): void {
  const { field, isFit, unfit } = rulesOf(configuration).secretRules ?? {};
  if (unfit === undefined || isFit?.(secret) !== false) return;
  throw new Fault("invalid_argument", unfit.slug, field === undefined ? {} : { field });
}

/** Encrypts the secret for storage. */
export function sealProviderSecret(
  vault: Pick<Vault, "encrypt">,
  { instanceId, identityProviderId }: Pick<SealedSecret, "instanceId" | "identityProviderId">,
  secret: Secret,
): string {
  return vault.encrypt(secret, secretContext(instanceId, identityProviderId));
}

// Only the server matters, not the path on it.
function destinationOf(configuration: ProviderConfiguration): string | undefined {
  const destination = rulesOf(configuration).secretDestination(configuration);
  return destination === undefined ? undefined : (URL.parse(destination)?.origin ?? destination);
}
