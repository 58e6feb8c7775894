import type { FailedDelivery } from "../../base/queue/failed-delivery.ts";
import { type Reader, sql, type Tx } from "../../database/index.ts";
import { type LogoutNotice, lastAttemptAt } from "./logout-notice.ts";

/** Lists the newest notices that failed and are tried again; of all instances without an id. */
export async function listFailedNotices(
  reader: Reader,
  instanceId: string | undefined,
  limit: number,
): Promise<FailedDelivery[]> {
  const ofInstance = instanceId === undefined ? sql`` : sql`and instance_id = ${instanceId}`;
  const rows = await reader.all<Omit<FailedDelivery, "failedAt"> & { nextAttemptAt: number }>(sql`select
      instance_id as "instanceId", client_id as "group", session_id as "id", attempts, failure,
      next_attempt_at as "nextAttemptAt" from logout_notices
    where failure is not null ${ofInstance} order by created_at desc, session_id desc limit ${limit}`);
  return rows.map(({ nextAttemptAt, ...row }) => ({ ...row, failedAt: lastAttemptAt(row.attempts, nextAttemptAt) }));
}

/** Deletes a notice that failed, and returns it. */
export function takeFailedNotice(
  tx: Tx,
  { sessionId, clientId }: Pick<LogoutNotice, "sessionId" | "clientId">,
): Promise<LogoutNotice | undefined> {
  return tx.maybe<LogoutNotice>(sql`delete from logout_notices
    where instance_id = ${tx.instanceId} and session_id = ${sessionId} and client_id = ${clientId}
      and failure is not null
    returning instance_id as "instanceId", session_id as "sessionId", client_id as "clientId", user_id as "userId",
      owner_id as "ownerId", attempts as "attempt", created_at as "createdAt"`);
}
