import type { Tx } from "../../database/index.ts";
import { isGoodSignIn, listPreparedSessions } from "../session/index.ts";
import { terminateSession } from "./terminate-session.ts";

/**
 * Step: ends the sessions of a user who has just been appointed that an administrator of less could have opened, or a
 * provider that may not sign the user in any more. Otherwise what they opened before would carry what the user gained.
 */
export async function endPreparedSessions(tx: Tx, userId: string): Promise<void> {
  for (const { sessionId, organizationId = "", factors } of await listPreparedSessions(tx, tx.instanceId, userId)) {
    if (await isGoodSignIn(tx, tx.instanceId, { userId, organizationId, factors })) continue;
    await terminateSession(tx, sessionId);
  }
}
