import type { Tx } from "../../database/index.ts";
import { putReadyFactor } from "../factor/index.ts";
import { type HumanUser, recordUserEvent } from "../user/index.ts";
import { completeCredential, insertPendingCredential } from "./key-credential.store.ts";
import { registrationEnd } from "./key-credential.ts";
import type { NewCredential } from "./read-new-credential.ts";
import { toKnown } from "./verify-key-registration.ts";

export interface InsertPasskey {
  readonly credentialId: string;
  readonly relyingPartyId: string;
  readonly name: string;
  readonly made: NewCredential;
  /** The administrator who had the code of the invitation as well. */
  readonly author?: string | undefined;
  /** Whether a message let its reader register it. */
  readonly isFromMessage?: boolean | undefined;
}

/**
 * Step: stores the passkey of a user who is being created. Throws `factor.key_known` when it is registered for a user
 * already.
 */
export async function insertPasskey(
  tx: Tx,
  user: HumanUser,
  { credentialId, relyingPartyId, name, made, author = "", isFromMessage = false }: InsertPasskey,
): Promise<void> {
  const { userId } = user;
  const kind = "passkey";
  const expiresAt = registrationEnd(tx.now);
  const pending = { credentialId, userId, kind, relyingPartyId, expiresAt, author, isFromMessage } as const;
  await insertPendingCredential(tx, pending);
  await recordUserEvent(tx, user, { type: "user.passkey.added", payload: { credentialId, relyingPartyId } });
  try {
    await completeCredential(tx, { ...made, credentialId, userId, name });
  } catch (error) {
    throw toKnown(error);
  }
  await putReadyFactor(tx, user, kind);
  const payload = { credentialId, name, aaguid: made.aaguid };
  await recordUserEvent(tx, user, { type: "user.passkey.verified", payload });
}
