import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { endSignInsOfUsers } from "../user/index.ts";
import { endSessions } from "./terminate-session.ts";

/**
 * Ends every session of the caller, with what was issued from it, except the caller's current one. Sign-ins that are
 * under way end first, in a unit of their own: they are not history, and there may be no session that is.
 */
export async function terminateOwnOtherSessions(
  { database }: { readonly database: Database },
  call: Call,
): Promise<void> {
  const { userId, sessionId } = requireCaller(call);
  await database.touch(call, (tx) => endSignInsOfUsers(tx, [userId]));
  await database.change(call, (tx) => endSessions(tx, { userIds: [userId], staying: { sessionId } }));
}
