import type { Tx } from "../../database/index.ts";
import { deleteAllFactors } from "./factor.store.ts";
import { deleteAllCredentials } from "./key-credential.store.ts";
import { deleteRecoveryCodes } from "./recovery-code.store.ts";

/** Step: deletes all factors of a user who is being deleted. */
export async function deleteFactorsOfUser(tx: Tx, userId: string): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await deleteAllCredentials(tx, userId);
  await deleteAllFactors(tx, userId);
}
