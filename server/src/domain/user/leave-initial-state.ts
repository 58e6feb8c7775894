import type { Tx } from "../../database/index.ts";
import { recordUserEvent } from "./record-user.ts";
import type { User } from "./user.ts";
import { updateInitialized } from "./user-state.store.ts";

/**
 * Step: somebody whom the first generation of the API made is active from when the address is proven and there is something to sign in with,
 * whichever came last. For everybody else nothing happens.
 */
export async function leaveInitialState(
  tx: Tx,
  user: Pick<User, "userId" | "organizationId" | "state">,
): Promise<void> {
  if (user.state !== "initial" || !(await updateInitialized(tx, user.userId))) return;
  await recordUserEvent(tx, user, { type: "user.initialized" });
}
