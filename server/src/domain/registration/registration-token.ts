import type { Random } from "../../base/random.ts";
import { generateSecret, hashSecret, Secret } from "../../base/secret.ts";
import { type Vault, VaultError } from "../../base/vault.ts";

/** A registration access token (RFC 7592 §3): shown once. */
export interface MadeToken {
  readonly token: Secret;
  /** What is stored. */
  readonly tokenHash: string;
}

export interface TokenDeps {
  readonly vault: Vault;
  readonly random: Random;
}

const context = (instanceId: string, clientId: string): string => `registrations/${instanceId}/${clientId}/token`;

/** Creates a token for a client: a secret, sealed for this client of this instance. */
export function makeRegistrationToken(deps: TokenDeps, instanceId: string, clientId: string): MadeToken {
  const secret = generateSecret(deps.random);
  return {
    token: new Secret(deps.vault.encrypt(secret, context(instanceId, clientId))),
    tokenHash: hashSecret(secret),
  };
}

/**
 * Returns the hash of the secret in a token that was at some time issued to this client; undefined for any other text.
 */
export function openRegistrationToken(
  { vault }: Pick<TokenDeps, "vault">,
  token: string,
  { instanceId, clientId }: { readonly instanceId: string; readonly clientId: string },
): string | undefined {
  try {
    return hashSecret(vault.decrypt(token, context(instanceId, clientId)));
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
