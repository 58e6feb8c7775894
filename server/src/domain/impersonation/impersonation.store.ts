import {
  deleteAll,
  type EndedRows,
  list,
  type Reader,
  type Sql,
  sql,
  type Tx,
  takeTurn,
  text,
} from "../../database/index.ts";
import type { Impersonation } from "./impersonation.ts";

interface Row extends Omit<Impersonation, "endedAt"> {
  readonly endedAt: number | null;
}

// Where statements join other tables, the columns are named with theirs; what an update returns cannot be.
const columnsOf = (table: "" | "i."): Sql =>
  text(`${table}impersonation_id as "impersonationId", ${table}user_id as "userId",
    ${table}organization_id as "organizationId", ${table}actor_id as "actorId",
    ${table}actor_organization_id as "actorOrganizationId", ${table}session_id as "sessionId",
    ${table}application_id as "applicationId", ${table}client_id as "clientId", ${table}reason,
    ${table}created_at as "createdAt", ${table}expires_at as "expiresAt", ${table}ended_at as "endedAt"`);
const columns = columnsOf("");

const toImpersonation = ({ endedAt, ...row }: Row): Impersonation => ({ ...row, endedAt: endedAt ?? undefined });

export function insertImpersonation(tx: Tx, made: Impersonation): void {
  tx.write(sql`insert into impersonations (instance_id, impersonation_id, user_id, organization_id, actor_id,
      actor_organization_id, session_id, application_id, client_id, reason, created_at, expires_at)
    values (${tx.instanceId}, ${made.impersonationId}, ${made.userId}, ${made.organizationId}, ${made.actorId},
      ${made.actorOrganizationId}, ${made.sessionId}, ${made.applicationId}, ${made.clientId}, ${made.reason},
      ${made.createdAt}, ${made.expiresAt})`);
}

/** Finds an impersonation, whatever became of it. */
export async function findImpersonation(
  reader: Reader,
  instanceId: string,
  impersonationId: string,
): Promise<Impersonation | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from impersonations
    where instance_id = ${instanceId} and impersonation_id = ${impersonationId}`);
  return row && toImpersonation(row);
}

/** What is known of an impersonation that is looked for. */
export type ImpersonationKey =
  | { readonly impersonationId: string }
  | { readonly sessionIds: readonly string[]; readonly clientId: string };

/**
 * Finds an impersonation that has neither ended nor expired, in a session that is live, by and of active users of
 * active organizations. Expiry is not asked without an instant.
 */
export async function findOpen(
  reader: Reader,
  { instanceId, now }: { readonly instanceId: string; readonly now: number | undefined },
  key: ImpersonationKey,
): Promise<Impersonation | undefined> {
  const is =
    "impersonationId" in key
      ? sql`i.impersonation_id = ${key.impersonationId}`
      : sql`i.session_id in ${list(key.sessionIds)} and i.client_id = ${key.clientId}`;
  const isAlive =
    now === undefined ? sql`1 = 1` : sql`i.expires_at > ${now} and (s.expires_at is null or s.expires_at > ${now})`;
  const row = await reader.maybe<Row>(sql`select ${columnsOf("i.")} from impersonations i
    join sessions s on s.instance_id = i.instance_id and s.session_id = i.session_id and s.user_id = i.actor_id
    join users u on u.instance_id = i.instance_id and u.user_id = i.user_id
    join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    join users a on a.instance_id = i.instance_id and a.user_id = i.actor_id
    join organizations h on h.instance_id = a.instance_id and h.organization_id = a.organization_id
    where i.instance_id = ${instanceId} and ${is} and i.ended_at is null and s.terminated_at is null and ${isAlive}
      and u.state = 'active' and o.state = 'active' and a.state = 'active' and h.state = 'active'
    order by i.created_at desc, i.impersonation_id desc limit 1`);
  return row && toImpersonation(row);
}

/**
 * Ends those of a session for an application that are open, and returns them. Units that begin another one there take
 * turns, so that each ends what the one before it began.
 */
export async function endOfSession(
  tx: Tx,
  { sessionId, clientId }: Pick<Impersonation, "sessionId" | "clientId">,
): Promise<Impersonation[]> {
  takeTurn(tx, "alone", "impersonations of session", sessionId);
  return endWhere(tx, sql`session_id = ${sessionId} and client_id = ${clientId}`);
}

/** Ends those with these ids that are open, and returns them. */
export const endAll = (tx: Tx, impersonationIds: readonly string[]): Promise<Impersonation[]> =>
  endWhere(tx, sql`impersonation_id in ${list(impersonationIds)}`);

async function endWhere(tx: Tx, condition: Sql): Promise<Impersonation[]> {
  const rows = await tx.all<Row>(sql`update impersonations set ended_at = ${tx.now}
    where instance_id = ${tx.instanceId} and ${condition} and ended_at is null and expires_at > ${tx.now}
    returning ${columns}`);
  return rows.map(toImpersonation);
}

/** Lists the ids of those of a user at an application that are open; at most `limit`. */
export async function listOpenIds(
  tx: Tx,
  { userId, clientId, limit }: { readonly userId: string; readonly clientId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tx.all<{ impersonationId: string }>(sql`select impersonation_id as "impersonationId"
    from impersonations where instance_id = ${tx.instanceId} and user_id = ${userId} and client_id = ${clientId}
      and ended_at is null and expires_at > ${tx.now}
    order by impersonation_id limit ${limit}`);
  return rows.map(({ impersonationId }) => impersonationId);
}

/** Step: deletes what is stored of users as impersonated users and as impersonators. */
export async function deleteImpersonationsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  for (const whose of [sql`user_id`, sql`actor_id`]) {
    await deleteAll(tx, {
      table: text("impersonations"),
      where: sql`instance_id = ${tx.instanceId} and ${whose} in ${list(userIds)}`,
    });
  }
}

/** Impersonations that expired before the instant. */
export const formerImpersonations = (before: number): EndedRows => ({
  table: text("impersonations"),
  where: () => sql`expires_at < ${before}`,
});
