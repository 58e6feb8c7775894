import { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";
import { type IdentityIntent, intentContext, type SealedIdentity } from "./identity-intent.ts";

/** Encrypts what a provider reported, for storage. */
export function sealIdentity(
  vault: Pick<Vault, "encrypt">,
  { instanceId, intentId }: { readonly instanceId: string; readonly intentId: string },
  { tokens, ...identity }: ExternalIdentity,
): string {
  const clear: SealedIdentity = {
    ...identity,
    tokens: Object.fromEntries(
      Object.entries(tokens).flatMap(([name, token]) => (token ? [[name, token.reveal()]] : [])),
    ),
  };
  return vault.encrypt(JSON.stringify(clear), intentContext(instanceId, intentId, "identity"));
}

/** Decrypts what a provider reported. Throws VaultError when the row was altered. */
export function openIdentity(
  vault: Pick<Vault, "decrypt">,
  instanceId: string,
  { intentId, sealedIdentity }: IdentityIntent,
): ExternalIdentity {
  const clear = vault.decrypt(sealedIdentity ?? "", intentContext(instanceId, intentId, "identity")).reveal();
  const { tokens, ...identity } = JSON.parse(clear) as SealedIdentity;
  const { accessToken, idToken, refreshToken, assertion } = tokens;
  return {
    ...identity,
    // JSON has no undefined.
    email: identity.email,
    tokens: {
      accessToken: accessToken === undefined ? undefined : new Secret(accessToken),
      idToken: idToken === undefined ? undefined : new Secret(idToken),
      refreshToken: refreshToken === undefined ? undefined : new Secret(refreshToken),
      assertion: assertion === undefined ? undefined : new Secret(assertion),
    },
  };
}
