import { type Reader, sql, type Tx } from "../../database/index.ts";

/** Step: remembers that a client has to be told when the session ends. Nothing is written for a session that has ended. */
export function noteSessionClient(
  tx: Tx,
  { sessionId, clientId }: { readonly sessionId: string; readonly clientId: string },
): void {
  tx.write(sql`insert into session_clients (instance_id, session_id, client_id, expires_at)
    select instance_id, session_id, ${clientId}, expires_at from sessions
    where instance_id = ${tx.instanceId} and session_id = ${sessionId} and terminated_at is null
    on conflict do nothing`);
}

/** Sessions, of whatever instance, that had expired by the instant when their clients were noted; at most `limit`. */
export function listSessionsToExpire(
  reader: Reader,
  now: number,
  limit: number,
): Promise<{ instanceId: string; sessionId: string }[]> {
  return reader.all(sql`select distinct instance_id as "instanceId", session_id as "sessionId" from session_clients
    where expires_at <= ${now} limit ${limit}`);
}

/** Step: the clients of a session follow its end to another instant. */
export async function moveSessionClients(
  tx: Tx,
  { sessionId, expiresAt }: { readonly sessionId: string; readonly expiresAt: number | undefined },
): Promise<void> {
  await tx.run(sql`update session_clients set expires_at = ${expiresAt}
    where instance_id = ${tx.instanceId} and session_id = ${sessionId}`);
}

/** Step: the clients of a session that has ended; each is given once. */
export async function takeSessionClients(tx: Tx, sessionId: string): Promise<string[]> {
  const rows = await tx.all<{ clientId: string }>(sql`delete from session_clients
    where instance_id = ${tx.instanceId} and session_id = ${sessionId} returning client_id as "clientId"`);
  return rows.map(({ clientId }) => clientId).toSorted();
}

/** Step: forgets a client that is being deleted. */
export async function forgetSessionClient(tx: Tx, clientId: string): Promise<void> {
  await tx.run(sql`delete from session_clients where instance_id = ${tx.instanceId} and client_id = ${clientId}`);
}
