import type { Tx } from "../../database/index.ts";
import { type HumanUser, recordUserEvent } from "../user/index.ts";
import { deleteFactor } from "./delete-factor.ts";
import { listReadyFactors } from "./factor.store.ts";
import { deleteRecoveryCodes } from "./recovery-code.store.ts";

/**
 * Step: removes the recovery codes of a user whose last other second factor was removed. They stand in for a factor; on
 * their own they would keep a user who has lost both from setting up another one.
 */
export async function removeLoneRecoveryCodes(tx: Tx, user: HumanUser): Promise<void> {
  const { userId } = user;
  const left = await listReadyFactors(tx, tx.instanceId, userId);
  if (!left.includes("recovery_codes") || left.some((kind) => kind !== "recovery_codes" && kind !== "passkey")) return;
  await deleteRecoveryCodes(tx, userId);
  await deleteFactor(tx, userId, "recovery_codes");
  await recordUserEvent(tx, user, { type: "user.recovery_codes.removed" });
}
