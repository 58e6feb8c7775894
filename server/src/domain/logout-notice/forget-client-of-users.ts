import type { Tx } from "../../database/index.ts";
import { forgetSessionClientOfUsers } from "../session/index.ts";
import { dropNoticesOfExpired } from "./logout-notice.store.ts";

/**
 * Step: forgets a client in the sessions of some users who no longer let it in, so that it does not learn when they
 * sign out; also in those that expired, whose clients are noted again when they are renewed.
 */
export async function forgetClientOfUsers(
  tx: Tx,
  which: { readonly clientId: string; readonly userIds: readonly string[] },
): Promise<void> {
  await forgetSessionClientOfUsers(tx, which);
  await dropNoticesOfExpired(tx, which);
}
