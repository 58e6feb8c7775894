import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { countOtherHolders } from "./membership.store.ts";
import { holdInstance } from "./place.store.ts";

/**
 * Step: refuses to take from these users what would leave the instance without anybody who owns it and can sign in. Nobody could
 * appoint an owner then, short of `doorward admin recover`. Call it while they still have their roles.
 */
export async function refuseLastOwner(tx: Tx, userIds: readonly string[]): Promise<void> {
  await holdInstance(tx);
  if ((await countOtherHolders(tx, "IAM_OWNER", userIds)) === 0) {
    throw new Fault("failed_precondition", "membership.last_owner");
  }
}
