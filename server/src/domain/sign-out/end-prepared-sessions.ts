import { parseAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { mayPrepareFor } from "../administrator-access/index.ts";
import { listPreparedConsents } from "../consent/index.ts";
import {
  isEnoughForRoles,
  isGoodSignIn,
  listLiveSessions,
  type Session,
  type StayingSession,
} from "../session/index.ts";
import { endClientOfUser } from "../token/index.ts";
import { findUserScope, readAuthorOfCredential } from "../user/index.ts";
import { terminateOtherSessions, terminateSessions } from "./terminate-session.ts";

// Judging a session takes several statements. If a user has more sessions than this, all of them end, including
// trustworthy ones.
const mostJudged = 100;

/**
 * Step: ends sessions of a user who has just been appointed. These are sessions that an administrator with fewer
 * rights, or a provider that may no longer sign the user in, could have opened. Those in which a code was returned to
 * an application end too, and so do those that are not sufficient for an administrator of the instance. Withdraws the
 * consents that were given in such sessions, with what clients got by them. Otherwise what they opened or permitted
 * before would carry what the user gained. The session that stays is that of the caller.
 */
export async function endPreparedSessions(
  tx: Tx,
  userId: string,
  staying: Pick<StayingSession, "sessionId"> = {},
): Promise<void> {
  const sessions = await listLiveSessions(tx, tx.instanceId, { userId, limit: mostJudged + 1 });
  if (sessions.length > mostJudged) {
    await terminateOtherSessions(tx, userId, staying);
  } else {
    for (const session of sessions) {
      if (session.sessionId === staying.sessionId || (await carriesGain(tx, userId, session))) continue;
      // Sign-ins under way are weighed in the unit that writes their session.
      await terminateSessions(tx, { sessionIds: [session.sessionId] });
    }
  }
  await withdrawPreparedConsents(tx, userId);
}

// Everything that makes a session weaker for what its user administers now.
const carriesGain = async (tx: Tx, userId: string, session: Session): Promise<boolean> =>
  session.factors.isCodeReturned !== true &&
  (await isGoodSignIn(tx, tx.instanceId, { ...session, userId })) &&
  isEnoughForRoles(tx, tx.call, session);

async function withdrawPreparedConsents(tx: Tx, userId: string): Promise<void> {
  const consents = await listPreparedConsents(tx, tx.instanceId, userId);
  if (consents.length === 0) return;
  const { organizationId } = (await findUserScope(tx, tx.instanceId, userId)) ?? {};
  if (organizationId === undefined) return;
  for (const { clientId, author } of consents) {
    const isGood = await mayPrepareFor(
      tx,
      tx.instanceId,
      parseAuthor(readAuthorOfCredential(author, organizationId)),
      userId,
    );
    if (!isGood) await endClientOfUser(tx, { userId, clientId, organizationId }, "user_appointed");
  }
}
