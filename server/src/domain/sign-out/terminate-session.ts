import type { Tx } from "../../database/index.ts";
import { queueLogoutNotices } from "../logout-notice/index.ts";
import {
  listOtherSessionIdsOfUser,
  listSessionIdsOfBrowser,
  listSessionIdsOfUser,
  markSessionTerminated,
  type Session,
  type StayingSession,
  sessionAggregate,
} from "../session/index.ts";
import { listLiveFamiliesOfSession, revokeFamily } from "../token/index.ts";

/**
 * Step: ends a session and revokes everything that was issued from it. Returns undefined when it had ended or never
 * existed.
 */
export async function terminateSession(tx: Tx, sessionId: string): Promise<Session | undefined> {
  const session = await markSessionTerminated(tx, sessionId);
  if (session === undefined) return undefined;
  const { sequence } = session.details;
  tx.record({
    type: "session.terminated",
    ...sessionAggregate(session, tx.instanceId),
    sequence,
    payload: { userId: session.userId },
  });
  await queueLogoutNotices(tx, session);
  for (const { familyId } of await listLiveFamiliesOfSession(tx, tx.instanceId, sessionId)) {
    await revokeFamily(tx, familyId, "session_terminated");
  }
  return session;
}

/** Step: ends every session of a user. */
export async function terminateSessionsOfUser(tx: Tx, userId: string): Promise<void> {
  for (const { sessionId } of await listSessionIdsOfUser(tx, tx.instanceId, userId))
    await terminateSession(tx, sessionId);
}

/**
 * Step: ends the sessions of a user whose password or factors have changed, except the one in which that was done (ASVS
 * 7.4.3).
 */
export async function terminateOtherSessions(tx: Tx, userId: string, staying: StayingSession): Promise<void> {
  for (const { sessionId } of await listOtherSessionIdsOfUser(tx, tx.instanceId, { userId, staying }))
    await terminateSession(tx, sessionId);
}

/**
 * Step: ends sessions of a browser: the named ones that belong to it, or all when none are named. Returns those that
 * ended.
 */
export async function terminateBrowserSessions(
  tx: Tx,
  browser: { readonly browserHash: string; readonly sessionIds?: readonly string[] },
): Promise<Session[]> {
  const { browserHash, sessionIds } = browser;
  const ended: Session[] = [];
  for (const { sessionId } of await listSessionIdsOfBrowser(tx, tx.instanceId, browserHash)) {
    if (sessionIds !== undefined && !sessionIds.includes(sessionId)) continue;
    const terminated = await terminateSession(tx, sessionId);
    if (terminated !== undefined) ended.push(terminated);
  }
  return ended;
}
