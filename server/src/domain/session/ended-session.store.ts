import { type EndedRows, sql, text } from "../../database/index.ts";

// For the job that removes what has ended. A token is valid only while its session exists, so a session outlives its
// tokens.

const table = text("sessions");
// Clients of sessions that were not terminated: terminating a session takes its clients, to notify them.
const parts = { table: text("session_clients"), key: text("session_id") };

/** Sessions that were terminated before the instant. */
export const terminatedSessions = (before: number): EndedRows => ({
  table,
  where: () => sql`terminated_at < ${before}`,
  parts,
});

/** Sessions that expired before the instant and that no unrevoked token family depends on. */
export const expiredSessions = (before: number): EndedRows => ({
  table,
  where: (instance) => sql`expires_at < ${before}
    and not exists (select 1 from token_families f where f.instance_id = ${instance}
      and f.session_id = sessions.session_id and f.revoked_at is null)`,
  parts,
});
