import type { Tx } from "../../database/index.ts";
import { deleteFactor } from "../factor/index.ts";
import { type HumanUser, recordUserEvent } from "../user/index.ts";
import { deleteCredential, listCredentialsOfUser } from "./key-credential.store.ts";

/** Step: removes every passkey and security key of a user, and those whose registration began. The user is locked. */
export async function removeKeys(tx: Tx, user: HumanUser): Promise<void> {
  const { userId } = user;
  const keys = await listCredentialsOfUser(tx, tx.instanceId, userId);
  for (const { credentialId, kind, state } of keys) {
    await deleteCredential(tx, { userId, credentialId, kind });
    if (state !== "ready") continue;
    await deleteFactor(tx, userId, kind);
    await recordUserEvent(tx, user, { type: `user.${kind}.removed`, payload: { credentialId } });
  }
}
