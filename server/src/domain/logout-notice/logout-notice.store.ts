import { seconds } from "../../base/clock.ts";
import { deleteAll, join, list, type Reader, type Sql, sql, type Tx, text } from "../../database/index.ts";
import { claimLifetime, type DueNotice, type LogoutNotice } from "./logout-notice.ts";

type NoticeKey = Pick<LogoutNotice, "instanceId" | "sessionId" | "clientId">;

type NewNotice = Pick<LogoutNotice, "sessionId" | "clientId" | "userId" | "nameId" | "ownerId">;

// A browser that has just signed out may tell a SAML service provider itself, which is then not told twice.
const visitGrace = seconds(10);

// Rows in one statement.
const atOnce = 100;

export async function insertNotices(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  for (let from = 0; from < notices.length; from += atOnce) {
    const rows = notices
      .slice(from, from + atOnce)
      .map(
        ({ sessionId, clientId, userId, nameId, ownerId }) =>
          sql`(${tx.instanceId}, ${sessionId}, ${clientId}, ${userId}, ${nameId}, ${ownerId}, 0, ${tx.now + (nameId === null ? 0 : visitGrace)}, ${tx.now})`,
      );
    await tx.run(sql`insert into logout_notices (instance_id, session_id, client_id, user_id, name_id, owner_id, attempts,
        next_attempt_at, created_at)
      values ${join(rows, ", ")} on conflict do nothing`);
  }
}

/** The organization of an application in its instance. */
export type OrganizationKey = Pick<DueNotice, "instanceId" | "organizationId">;

/** Notices that are left for later: of these instances, to applications of these organizations, to these clients. */
export interface NoticesToLeave {
  readonly instanceIds: readonly string[];
  readonly organizations: readonly OrganizationKey[];
  readonly clientIds: readonly string[];
}

function isOfOthers({ instanceIds, organizations, clientIds }: NoticesToLeave): Sql {
  const conditions = [
    ...(instanceIds.length === 0 ? [] : [sql`and n.instance_id not in ${list(instanceIds)}`]),
    ...(clientIds.length === 0 ? [] : [sql`and n.client_id not in ${list(clientIds)}`]),
    ...(organizations.length === 0 ? [] : [isOfOtherOrganizations(organizations)]),
  ];
  return join(conditions, " ");
}

// SAML applications are few, and are not found by the id that their notices have.
function isOfOtherOrganizations(organizations: readonly OrganizationKey[]): Sql {
  const keys = join(
    organizations.map(({ instanceId, organizationId }) => sql`(${instanceId}, ${organizationId})`),
    ", ",
  );
  return sql`and not exists (select 1 from applications a where a.instance_id = n.instance_id
      and a.client_id = n.client_id and (a.instance_id, a.organization_id) in (values ${keys}))
    and (n.name_id is null or (n.instance_id, n.client_id) not in (select p.instance_id, p.client_id from saml_partners p
      join applications a on a.instance_id = p.instance_id and a.application_id = p.application_id
      where (a.instance_id, a.organization_id) in (values ${keys})))`;
}

/**
 * Lists the notices that have been due the longest, of any instance, organization and client except the given ones,
 * without a lock; at most `limit`. The organization is empty when the application is gone.
 */
export function listDueNotices(
  reader: Reader,
  { now, except, limit }: { readonly now: number; readonly except: NoticesToLeave; readonly limit: number },
): Promise<(NoticeKey & OrganizationKey)[]> {
  return reader.all<NoticeKey & OrganizationKey>(sql`select n.instance_id as "instanceId", n.session_id as "sessionId",
      n.client_id as "clientId", coalesce(
        (select a.organization_id from applications a
          where a.instance_id = n.instance_id and a.client_id = n.client_id),
        (select a.organization_id from saml_partners p
          join applications a on a.instance_id = p.instance_id and a.application_id = p.application_id
          where p.instance_id = n.instance_id and p.client_id = n.client_id), '') as "organizationId"
    from (select n.instance_id, n.session_id, n.client_id, n.next_attempt_at from logout_notices n
      where n.next_attempt_at <= ${now} ${isOfOthers(except)}
      order by n.next_attempt_at limit ${limit}) n
    order by n.next_attempt_at`);
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
