import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { deleteFactor, type KeyFactor, removeLoneRecoveryCodes } from "../factor/index.ts";
import {
  type AuthorizeDeps,
  endSignInsOfUsers,
  type HumanUser,
  holdAuthorizedUser,
  recordUserEvent,
  removeSecondFactor,
  requireHuman,
} from "../user/index.ts";
import { deleteCredential, listCredentialsOfUser } from "./key-credential.store.ts";

/**
 * Removes a passkey or security key of a user. Sessions that it opened stay; sign-ins that are under way end with a
 * passkey, which can have begun them. Removing an absent key succeeds and changes nothing.
 */
export function removeKey(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  key: {
    readonly userId: string;
    readonly credentialId: string;
    readonly kind: KeyFactor;
    /** Step that checks what remains, and throws when that is not enough: then nothing is removed. */
    readonly demandOfRest?: ((tx: Tx, user: HumanUser) => Promise<void>) | undefined;
  },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const { userId, credentialId, kind } = key;
    const user = requireHuman(await holdAuthorizedUser(tx, userId, removeSecondFactor(deps)));
    if (!(await deleteCredential(tx, key))) return user.details;
    const left = await listCredentialsOfUser(tx, tx.instanceId, userId);
    if (!left.some((other) => other.kind === kind && other.state === "ready")) await deleteFactor(tx, userId, kind);
    if (kind === "u2f") await removeLoneRecoveryCodes(tx, user);
    if (kind === "passkey") await endSignInsOfUsers(tx, [userId]);
    await key.demandOfRest?.(tx, user);
    const sequence = await recordUserEvent(tx, user, { type: `user.${kind}.removed`, payload: { credentialId } });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
