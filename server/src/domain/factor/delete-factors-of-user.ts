import type { Tx } from "../../database/index.ts";
import { deleteAllFactors } from "./factor.store.ts";
import { deleteAllCredentials } from "./key-credential.store.ts";
import { deleteRecoveryCodes } from "./recovery-code.store.ts";

/** Step: takes everything from a user who is deleted. */
export async function deleteFactorsOfUser(tx: Tx, userId: string): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await deleteAllCredentials(tx, userId);
  await deleteAllFactors(tx, userId);
}
