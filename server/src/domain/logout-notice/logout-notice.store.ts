import { seconds } from "../../base/clock.ts";
import { deleteAll, join, list, sql, type Tx, text } from "../../database/index.ts";
import { claimLifetime, type LogoutNotice, type NoticePayer } from "./logout-notice.ts";

type NoticeKey = Pick<LogoutNotice, "instanceId" | "sessionId" | "clientId">;

type NewNotice = Pick<LogoutNotice, "sessionId" | "clientId" | "userId" | "nameId" | "ownerId"> &
  Omit<NoticePayer, "instanceId">;

// A browser that has just signed out may tell a SAML service provider itself, which is then not told twice.
const visitGrace = seconds(10);

// Rows in one statement.
const atOnce = 100;

export async function insertNotices(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  for (let from = 0; from < notices.length; from += atOnce) {
    const rows = notices.slice(from, from + atOnce).map(
      ({ sessionId, clientId, userId, nameId, ownerId, organizationId, isOfStranger }) =>
        sql`(${tx.instanceId}, ${sessionId}, ${clientId}, ${userId}, ${nameId}, ${ownerId}, ${organizationId}, ${isOfStranger},
            0, ${tx.now + (nameId === null ? 0 : visitGrace)}, ${tx.now})`,
    );
    await tx.run(sql`insert into logout_notices (instance_id, session_id, client_id, user_id, name_id, owner_id, organization_id,
        is_of_stranger, attempts, next_attempt_at, created_at)
      values ${join(rows, ", ")} on conflict do nothing`);
  }
}

/**
 * Step: claims a notice of the instance, unless it is no longer due or locked. While the claim lasts, no other node
 * takes it.
 */
export async function claimNotice(
  tx: Tx,
  { sessionId, clientId }: Pick<NoticeKey, "sessionId" | "clientId">,
): Promise<LogoutNotice | undefined> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  return tx.maybe<LogoutNotice>(sql`update logout_notices set attempts = attempts + 1,
      next_attempt_at = ${tx.now + claimLifetime}
    where instance_id = ${tx.instanceId} and session_id = ${sessionId} and client_id in (select n.client_id
      from logout_notices n where n.instance_id = ${tx.instanceId} and n.session_id = ${sessionId}
        and n.client_id = ${clientId} and n.next_attempt_at <= ${tx.now} ${hold})
    returning instance_id as "instanceId", session_id as "sessionId", client_id as "clientId", user_id as "userId",
      name_id as "nameId", owner_id as "ownerId", attempts as "attempt", created_at as "createdAt"`);
}

/** Removes a notice after this attempt; false when a later attempt has claimed it because this one was too slow. */
export async function deleteNotice(tx: Tx, notice: NoticeKey & { readonly attempt: number }): Promise<boolean> {
  const deleted = await tx.run(sql`delete from logout_notices
    where instance_id = ${tx.instanceId} and session_id = ${notice.sessionId} and client_id = ${notice.clientId}
      and attempts = ${notice.attempt}`);
  return deleted === 1;
}

/** Records why an attempt failed, and when the next one is due. */
export async function postponeNotice(
  tx: Tx,
  notice: NoticeKey & { readonly attempt: number },
  next: { readonly at: number; readonly failure: string },
): Promise<void> {
  await tx.run(sql`update logout_notices set next_attempt_at = ${next.at}, failure = ${next.failure}
    where instance_id = ${tx.instanceId} and session_id = ${notice.sessionId} and client_id = ${notice.clientId}
      and attempts = ${notice.attempt}`);
}

/** Step: takes the notices of a session that are not settled; each is returned once. */
export function takeNoticesOfSession(
  tx: Tx,
  sessionId: string,
): Promise<{ readonly clientId: string; readonly nameId: string | null }[]> {
  return tx.all(sql`delete from logout_notices where instance_id = ${tx.instanceId} and session_id = ${sessionId}
    returning client_id as "clientId", name_id as "nameId"`);
}

/** Step: deletes the notices to a client about sessions that it ended itself. */
export async function dropNoticesOfParticipant(
  tx: Tx,
  { clientId, sessionIds }: { readonly clientId: string; readonly sessionIds: readonly string[] },
): Promise<void> {
  await tx.run(sql`delete from logout_notices
    where instance_id = ${tx.instanceId} and client_id = ${clientId} and session_id in ${list(sessionIds)}`);
}

/**
 * Step: deletes the notices to a client about sessions of some users that expired and may go on. Those about sessions
 * that were ended are sent.
 */
export async function dropNoticesOfExpired(
  tx: Tx,
  { clientId, userIds }: { readonly clientId: string; readonly userIds: readonly string[] },
): Promise<void> {
  await deleteAll(tx, {
    table: text("logout_notices"),
    where: sql`instance_id = ${tx.instanceId} and client_id = ${clientId}
      and session_id in (select session_id from sessions
        where instance_id = ${tx.instanceId} and user_id in ${list(userIds)} and terminated_at is null)`,
  });
}

/** Step: deletes the notices of a client that is being deleted. */
export async function dropNoticesOfClient(tx: Tx, clientId: string): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and client_id = ${clientId}`;
  await deleteAll(tx, { table: text("logout_notices"), where });
}
