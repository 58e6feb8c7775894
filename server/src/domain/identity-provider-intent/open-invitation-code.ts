import type { Vault } from "../../base/vault.ts";
import { type IdentityIntent, intentContext, type SealedRequest } from "./identity-intent.ts";

/**
 * Decrypts the code of the invitation that an attempt is to accept; undefined for every other attempt. Throws
 * VaultError when the row was altered.
 */
export function openInvitationCode(
  vault: Pick<Vault, "decrypt">,
  instanceId: string,
  { intentId, sealedRequest, linkUserId }: IdentityIntent,
): string | undefined {
  if (linkUserId === null) return undefined;
  const clear = vault.decrypt(sealedRequest, intentContext(instanceId, intentId, "request"));
  return (JSON.parse(clear.reveal()) as SealedRequest).invitationCode;
}
