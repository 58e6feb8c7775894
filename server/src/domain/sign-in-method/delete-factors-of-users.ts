import type { Tx } from "../../database/index.ts";
import { deleteFactorRowsOfUsers, deleteRecoveryCodesOfUsers } from "../factor/index.ts";
import { deleteCredentialsOfUsers } from "../webauthn-key/index.ts";

/**
 * Step: deletes all factors of users who are being deleted. Never in batches: after a crash a user without their
 * second factors would be easier to sign in as.
 */
export async function deleteFactorsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await deleteRecoveryCodesOfUsers(tx, userIds);
  await deleteCredentialsOfUsers(tx, userIds);
  await deleteFactorRowsOfUsers(tx, userIds);
}
