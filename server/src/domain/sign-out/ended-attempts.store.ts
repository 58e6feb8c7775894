import { list, type Sql, sql, type Tx, text } from "../../database/index.ts";

/**
 * Ends the sign-ins of a browser that established who the user is, of whichever user, and registrations that wait for
 * their code: their pages show what was entered. Nothing that is written into a sign-in afterwards revives it: from its
 * first factor on an attempt keeps its end (`putSignIn`).
 */
export const endAttemptsOfBrowser = (tx: Tx, browserHash: string): void =>
  endAttempts(tx, sql`browser_hash = ${browserHash}`, sql`(sign_in_epoch is not null or sealed_sign_up is not null)`);

/** Ends the sign-ins of a user in the browser that a session belongs to. */
export const endAttemptsOfSession = (
  tx: Tx,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
): void =>
  endAttempts(
    tx,
    sql`user_id = ${userId} and browser_hash = (select s.browser_hash from sessions s
      where s.instance_id = ${tx.instanceId} and s.session_id = ${sessionId})`,
  );

/** Ends the sign-ins of a user in every browser. */
export const endAttemptsOfUser = (tx: Tx, userId: string): void => endAttempts(tx, sql`user_id = ${userId}`);

/**
 * Ends the sign-ins of users that rest on answers of providers, and registrations that wait for their code with one.
 */
export function endAttemptsOfAnswers(
  tx: Tx,
  { intentIds, userIds }: { readonly intentIds: readonly string[]; readonly userIds: readonly string[] },
): void {
  const intentId = text(tx.engine === "postgres" ? "(factors::json ->> 'intentId')" : "(factors ->> 'intentId')");
  if (userIds.length > 0) endAttempts(tx, sql`user_id in ${list(userIds)} and ${intentId} in ${list(intentIds)}`);
  const ofIntents = sql`(browser_hash, auth_request_id) in (select i.browser_hash, coalesce(i.auth_request_id, '')
    from identity_intents i where i.instance_id = ${tx.instanceId} and i.intent_id in ${list(intentIds)}
      and i.browser_hash is not null)`;
  endAttempts(tx, ofIntents, sql`sealed_sign_up is not null`);
}

// Not deleted, so that their pages say what happened.
function endAttempts(tx: Tx, which: Sql, begun: Sql = sql`sign_in_epoch is not null`): void {
  tx.write(sql`update sign_ins set expires_at = 0
    where instance_id = ${tx.instanceId} and ${begun} and ${which}`);
}
