import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { holdInstance } from "../administrator-access/index.ts";
import { countOtherHolders } from "./membership.store.ts";

/**
 * Step: refuses to take the role from these users if the instance would be left without an owner who can sign in.
 * Nothing but `doorward admin recover` could appoint an owner then. Call it while the users still have their roles.
 */
export async function refuseLastOwner(tx: Tx, userIds: readonly string[]): Promise<void> {
  await holdInstance(tx);
  if ((await countOtherHolders(tx, "IAM_OWNER", userIds)) === 0) {
    throw new Fault("failed_precondition", "membership.last_owner");
  }
}
