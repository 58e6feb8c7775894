import type { Tx } from "../../database/index.ts";
import { refuseAnswersOfBrowser, refuseAnswersOfSession } from "../identity-provider-intent/index.ts";
import { hasFirstFactor, hostedLogin, type Session } from "../session/index.ts";
import { endAttemptsOfBrowser, endAttemptsOfSession, endAttemptsOfUser } from "./ended-attempts.store.ts";

/**
 * Step: ends the sign-ins of a browser that are under way, of whichever user, and the answers of providers that wait in
 * it. The next person at the machine must not go on with what a user began before they signed out.
 */
export async function endAttemptsIn(tx: Tx, browserHash: string): Promise<void> {
  endAttemptsOfBrowser(tx, browserHash);
  await refuseAnswersOfBrowser(tx, browserHash);
}

/**
 * Step: ends the sign-ins under way of the user of a session that was ended elsewhere, in the browser of the session,
 * and the answers of providers that wait there. A session of the session API does not tell its browser, so every
 * sign-in of its user ends. A session that proved nothing ends none: any caller can name a user in one.
 */
export async function endAttemptsBeside(tx: Tx, session: Session): Promise<void> {
  const { sessionId, userId, creatorId } = session;
  if (userId === undefined || !hasFirstFactor(session)) return;
  if (creatorId !== hostedLogin) return endAttemptsOfUser(tx, userId);
  endAttemptsOfSession(tx, { sessionId, userId });
  await refuseAnswersOfSession(tx, sessionId);
}
