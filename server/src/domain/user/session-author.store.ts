import type { Preparation } from "../../call/index.ts";
import { type Reader, type Sql, sql } from "../../database/index.ts";

/**
 * Lists what a user's sessions depend on, for sessions that a caller created through the session API, that were checked
 * recently and are still valid; null for a session without this information.
 */
export async function listPreparationsByCreator(
  reader: Reader,
  instanceId: string,
  { creatorId, userId, since }: { readonly creatorId: string; readonly userId: string; readonly since: number },
): Promise<(readonly Preparation[] | null)[]> {
  const rows = await reader.all<{ preparedBy: string | null }>(sql`select prepared_by as "preparedBy" from sessions
    where instance_id = ${instanceId} and user_id = ${userId} and creator_id = ${creatorId} and terminated_at is null
      and changed_at >= ${since}`);
  return rows.map(({ preparedBy }) => (preparedBy === null ? null : JSON.parse(preparedBy)));
}

/** Sessions of a user by their id, or by the caller that made them by the session API. */
export type SessionsOfUser = { readonly sessionId: string } | { readonly creatorId: string; readonly since: number };

/** Lists when which factor was checked in sessions of a user, and what was said of it, as it is stored. */
export async function listChecks(
  reader: Reader,
  instanceId: string,
  userId: string,
  sessions: SessionsOfUser,
): Promise<Readonly<Record<string, unknown>>[]> {
  const chosen: Sql =
    "sessionId" in sessions
      ? sql`session_id = ${sessions.sessionId}`
      : sql`creator_id = ${sessions.creatorId} and changed_at >= ${sessions.since}`;
  const rows = await reader.all<{ factors: string }>(sql`select factors from sessions
    where instance_id = ${instanceId} and user_id = ${userId} and terminated_at is null and ${chosen}`);
  return rows.map(({ factors }) => JSON.parse(factors));
}
