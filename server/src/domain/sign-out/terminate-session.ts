import { performAll, type Tx } from "../../database/index.ts";
import { queueLogoutNotices } from "../logout-notice/index.ts";
import {
  forgetBrowsersOfUser,
  holdSessionIds,
  markSessionsTerminated,
  type Session,
  type StayingSession,
  sessionAggregate,
} from "../session/index.ts";
import { revokeFamilies } from "../token/index.ts";
import { endSignInsOfUsers } from "../user/index.ts";
import { endAttemptsBeside, endAttemptsIn } from "./end-attempts.ts";

/**
 * Step: ends a session, only that of a browser where one is named, and revokes everything that was issued from it. Ends
 * the sign-ins of its user that are under way in its browser. Returns undefined when it had ended or never existed.
 */
export async function terminateSession(
  tx: Tx,
  sessionId: string,
  of: { readonly browserHash?: string } = {},
): Promise<Session | undefined> {
  const [ended] = await terminateSessions(tx, { ...of, sessionIds: [sessionId] });
  if (ended !== undefined) await endAttemptsBeside(tx, ended);
  return ended;
}

/** Step: ends every session of users, and their sign-ins that are under way. */
export async function terminateSessionsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await endSignInsOfUsers(tx, userIds);
  await endSessions(tx, { userIds });
}

/**
 * Step: ends every session of a user, their sign-ins that are under way, and everything that was issued for them
 * without a session: to a service account, or to another user who acts for them. So does what the user got to act for
 * others, by a personal access token as well.
 */
export async function endAccessOfUser(tx: Tx, userId: string): Promise<void> {
  await terminateSessionsOfUsers(tx, [userId]);
  await revokeFamilies(tx, { userIds: [userId] }, "user_not_active");
  await revokeFamilies(tx, { actorIds: [userId] }, "user_not_active");
}

/**
 * Step: ends the sessions of a user whose password or factors have changed, except the one in which that was done (ASVS
 * 7.4.3). Their sign-ins that are under way end as well, also that of the caller, who may go on in the next epoch.
 * Those who knew a password that was replaced without it could have signed in in any number of browsers:
 * `forgetsBrowsersBut` has these count as new ones, except that in which the user acts.
 */
export async function terminateOtherSessions(
  tx: Tx,
  userId: string,
  { forgetsBrowsersBut, ...staying }: StayingSession & { readonly forgetsBrowsersBut?: { browserHash?: string } },
): Promise<void> {
  await endSignInsOfUsers(tx, [userId]);
  await endSessions(tx, { userIds: [userId], staying });
  if (forgetsBrowsersBut === undefined) return;
  await forgetBrowsersOfUser(tx, userId, { ...forgetsBrowsersBut, sessionId: staying.sessionId });
}

/** Step: ends sessions of users, except the one that stays. */
export function endSessions(
  tx: Tx,
  of: { readonly userIds: readonly string[]; readonly staying?: StayingSession },
): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => holdSessionIds(own, of, limit),
    perform: async (own, sessionIds) => void (await terminateSessions(own, { sessionIds })),
    isOfCaller: (sessionId) => sessionId === tx.call.caller?.sessionId,
  });
}

/** Step: ends sessions and revokes everything that was issued from them, and leaves sign-ins under way alone. */
export async function terminateSessions(
  tx: Tx,
  which: { readonly sessionIds: readonly string[]; readonly browserHash?: string },
): Promise<Session[]> {
  const ended = await markSessionsTerminated(tx, which);
  if (ended.length === 0) return [];
  for (const session of ended) {
    tx.record({
      type: "session.terminated",
      ...sessionAggregate(session, tx.instanceId),
      sequence: session.details.sequence,
      payload: { userId: session.userId },
    });
  }
  await queueLogoutNotices(tx, ended);
  await revokeFamilies(tx, { sessionIds: ended.map(({ sessionId }) => sessionId) }, "session_terminated");
  return ended;
}

/**
 * Step: signs a browser out: ends the named sessions that belong to it, and everything in it that is half done, of
 * whichever user. Returns the sessions that ended. For `touch`: attempts are not history, and there may be no session.
 */
export async function signBrowserOut(
  tx: Tx,
  browser: { readonly browserHash: string; readonly sessionIds: readonly string[] },
): Promise<Session[]> {
  const ended = browser.sessionIds.length === 0 ? [] : await terminateSessions(tx, browser);
  await endAttemptsIn(tx, browser.browserHash);
  return ended;
}
