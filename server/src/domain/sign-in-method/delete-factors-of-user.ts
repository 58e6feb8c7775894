import type { Tx } from "../../database/index.ts";
import { deleteAllFactors, deleteRecoveryCodes } from "../factor/index.ts";
import { deleteAllCredentials } from "../webauthn-key/index.ts";

/** Step: deletes all factors of a user who is being deleted. */
export async function deleteFactorsOfUser(tx: Tx, userId: string): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await deleteAllCredentials(tx, userId);
  await deleteAllFactors(tx, userId);
}
