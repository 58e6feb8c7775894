import { deleteBatch, type Sql, sql, type Tx, text } from "../../database/index.ts";

// For the job that removes what has ended. A token is valid only while its session exists, so a session outlives its
// tokens.

/** Step: removes sessions that were terminated before the instant, of every instance; at most `limit`. */
export function deleteTerminatedSessions(tx: Tx, before: number, limit: number): Promise<number> {
  return deleteSessions(tx, sql`terminated_at < ${before}`, limit);
}

/**
 * Step: removes sessions that expired before the instant and that no unrevoked token family depends on, of every
 * instance; at most `limit`.
 */
export function deleteExpiredSessions(tx: Tx, before: number, limit: number): Promise<number> {
  const hasEnded = sql`expires_at < ${before}
    and not exists (select 1 from token_families f where f.instance_id = sessions.instance_id
      and f.session_id = sessions.session_id and f.revoked_at is null)`;
  return deleteSessions(tx, hasEnded, limit);
}

async function deleteSessions(tx: Tx, where: Sql, limit: number): Promise<number> {
  // Clients of sessions that were not terminated: terminating a session takes its clients, to notify them.
  await tx.run(sql`delete from session_clients where (instance_id, session_id) in
    (select instance_id, session_id from sessions where ${where} limit ${limit})`);
  return deleteBatch(tx, { table: text("sessions"), key: text("instance_id, session_id"), where, limit });
}
