import { parseAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { listPreparedConsents } from "../consent/index.ts";
import { mayPrepareFor } from "../membership/index.ts";
import { isGoodSignIn, listPreparedSessions, type StayingSession } from "../session/index.ts";
import { endClientOfUser } from "../token/index.ts";
import { findUserScope, readAuthorOfCredential } from "../user/index.ts";
import { terminateSession } from "./terminate-session.ts";

/**
 * Step: ends the sessions of a user who has just been appointed that an administrator of less could have opened, or a
 * provider that may not sign the user in any more, and withdraws the consents that were given in such sessions, with what
 * clients got by them. Otherwise what they opened or permitted before would carry what the user gained. The session that
 * stays is that of the caller.
 */
export async function endPreparedSessions(
  tx: Tx,
  userId: string,
  staying: Pick<StayingSession, "sessionId"> = {},
): Promise<void> {
  for (const { sessionId, organizationId, factors } of await listPreparedSessions(tx, tx.instanceId, userId)) {
    if (sessionId === staying.sessionId) continue;
    if (await isGoodSignIn(tx, tx.instanceId, { userId, organizationId, factors })) continue;
    await terminateSession(tx, sessionId);
  }
  await withdrawPreparedConsents(tx, userId);
}

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
