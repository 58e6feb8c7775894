import type { Instant } from "../../base/clock.ts";
import { deleteAll, list, type Reader, sql, type Tx, text } from "../../database/index.ts";

/**
 * Step: remembers that a client has to be notified when the session ends, and the name by which it knows the user, if
 * that is not their id. Writes nothing for a session that was ended.
 */
export function noteSessionClient(
  tx: Tx,
  { sessionId, clientId, nameId }: { readonly sessionId: string; readonly clientId: string; readonly nameId?: string },
): void {
  const again =
    nameId === undefined
      ? text("do nothing")
      : text("(instance_id, session_id, client_id) do update set name_id = excluded.name_id");
  tx.write(sql`insert into session_clients (instance_id, session_id, client_id, expires_at, name_id)
    select instance_id, session_id, ${clientId}, expires_at, ${nameId} from sessions
    where instance_id = ${tx.instanceId} and session_id = ${sessionId} and terminated_at is null
    on conflict ${again}`);
}

/** A session in which a client has a name for the user. */
export interface NamedSession {
  readonly sessionId: string;
  readonly nameId: string;
  /** Null for a session of the session API, which is in no browser of ours. */
  readonly browserHash: string | null;
  readonly createdAt: Instant;
}

/**
 * Lists the live sessions in which a client has a name for the user: all of a browser, or the given ones of any.
 */
export function listNamedSessions(
  reader: Reader,
  instanceId: string,
  {
    clientId,
    of,
  }: {
    readonly clientId: string;
    readonly of: { readonly browserHash: string } | { readonly sessionIds: readonly string[] };
  },
): Promise<NamedSession[]> {
  const wanted =
    "browserHash" in of ? sql`s.browser_hash = ${of.browserHash}` : sql`s.session_id in ${list(of.sessionIds)}`;
  return reader.all(sql`select c.session_id as "sessionId", c.name_id as "nameId", s.browser_hash as "browserHash",
      s.created_at as "createdAt"
    from sessions s
    join session_clients c on c.instance_id = ${instanceId} and c.session_id = s.session_id
    where s.instance_id = ${instanceId} and ${wanted} and s.terminated_at is null
      and c.client_id = ${clientId} and c.name_id is not null limit 50`);
}

/** Lists sessions of any instance whose clients were noted with an expiry at or before `now`; at most `limit`. */
export function listSessionsToExpire(
  reader: Reader,
  now: number,
  limit: number,
): Promise<{ instanceId: string; sessionId: string }[]> {
  return reader.all(sql`select distinct instance_id as "instanceId", session_id as "sessionId" from session_clients
    where expires_at <= ${now} limit ${limit}`);
}

/** Step: moves the clients of a session to its new end. */
export async function moveSessionClients(
  tx: Tx,
  { sessionId, expiresAt }: { readonly sessionId: string; readonly expiresAt: number | undefined },
): Promise<void> {
  await tx.run(sql`update session_clients set expires_at = ${expiresAt}
    where instance_id = ${tx.instanceId} and session_id = ${sessionId}`);
}

/** Step: takes the clients of sessions that have ended; each is returned once. */
export function takeSessionClients(
  tx: Tx,
  sessionIds: readonly string[],
): Promise<{ sessionId: string; clientId: string; nameId: string | null }[]> {
  return tx.all(sql`delete from session_clients
    where instance_id = ${tx.instanceId} and session_id in ${list(sessionIds)}
    returning session_id as "sessionId", client_id as "clientId", name_id as "nameId"`);
}

/**
 * Step: forgets a client in the sessions of some users who no longer let it in, so that it does not learn when they
 * sign out. It is noted again when it is let in again.
 */
export async function forgetSessionClientOfUsers(
  tx: Tx,
  { clientId, userIds }: { readonly clientId: string; readonly userIds: readonly string[] },
): Promise<void> {
  await deleteAll(tx, {
    table: text("session_clients"),
    where: sql`instance_id = ${tx.instanceId} and client_id = ${clientId}
      and session_id in (select session_id from sessions
        where instance_id = ${tx.instanceId} and user_id in ${list(userIds)} and terminated_at is null)`,
  });
}

/** Step: forgets a client that is being deleted. */
export async function forgetSessionClient(tx: Tx, clientId: string): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and client_id = ${clientId}`;
  await deleteAll(tx, { table: text("session_clients"), where });
}
