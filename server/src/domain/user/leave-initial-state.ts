import type { Tx } from "../../database/index.ts";
import { recordUserEvent } from "./record-user.ts";
import type { User } from "./user.ts";
import { updateInitialized } from "./user-state.store.ts";

/**
 * Step: activates a user whom the first generation of the API created, once the address is proven and there is
 * something to sign in with, whichever came last. For any other user nothing happens.
 */
export async function leaveInitialState(
  tx: Tx,
  user: Pick<User, "userId" | "organizationId" | "state">,
): Promise<void> {
  if (user.state !== "initial" || !(await updateInitialized(tx, user.userId))) return;
  await recordUserEvent(tx, user, { type: "user.initialized" });
}
