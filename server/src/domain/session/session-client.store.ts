import { sql, type Tx } from "../../database/index.ts";

/** Step: remembers that a client has to be told when the session ends. Nothing is written for a session that has ended. */
export async function noteSessionClient(
  tx: Tx,
  { sessionId, clientId }: { readonly sessionId: string; readonly clientId: string },
): Promise<void> {
  await tx.run(sql`insert into session_clients (instance_id, session_id, client_id)
    select instance_id, session_id, ${clientId} from sessions
    where instance_id = ${tx.instanceId} and session_id = ${sessionId} and terminated_at is null
    on conflict do nothing`);
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
