import type { Tx } from "../../database/index.ts";
import { keepFormerSecondFactor } from "../user/index.ts";
import { deleteFactorRow } from "./factor.store.ts";
import type { FactorKind } from "./factor.ts";
import { isSecondFactor } from "./has-second-factor.ts";

/**
 * Step: deletes a factor of a user, and keeps since when it was demanded of sign-ins. False when the user does not have
 * it.
 */
export async function deleteFactor(tx: Tx, userId: string, kind: FactorKind): Promise<boolean> {
  const deleted = await deleteFactorRow(tx, userId, kind);
  if (deleted === undefined) return false;
  if (deleted.readyAt !== null && isSecondFactor(kind)) await keepFormerSecondFactor(tx, userId, deleted.readyAt);
  return true;
}
