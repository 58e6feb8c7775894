import type { Tx } from "../../database/index.ts";
import type { HumanUser } from "../user/index.ts";
import { deletePendingTotp } from "./factor.store.ts";
import { removeLoneRecoveryCodes } from "./remove-lone-recovery-codes.ts";

/**
 * Step: removes what is no second factor of a user by itself: an authenticator app whose registration only began, and
 * recovery codes without another factor. The user is locked.
 */
export async function removeUnfinishedFactors(tx: Tx, user: HumanUser): Promise<void> {
  await deletePendingTotp(tx, user.userId);
  await removeLoneRecoveryCodes(tx, user);
}
