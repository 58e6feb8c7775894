import { join, list, type Reader, sql, type Tx } from "../../database/index.ts";
import { type PayerKind, waitingPayers } from "./due-notice.store.ts";
import type { LogoutNotice, NoticePayer } from "./logout-notice.ts";

type NoticeKey = Pick<LogoutNotice, "sessionId" | "clientId">;

/** Finds the organization with the lowest id after the given one for which more notices wait than the bound. */
export async function findFullPayer(
  reader: Reader,
  { instanceId, isOfStranger }: PayerKind,
  { after, bound }: { readonly after: string | undefined; readonly bound: number },
): Promise<string | undefined> {
  const ofKind = sql`instance_id = ${instanceId} and is_of_stranger = ${isOfStranger}`;
  const row = await reader.maybe<{ organizationId: string }>(sql`${waitingPayers(ofKind, after ?? null)}
    select organization_id as "organizationId" from waiting where organization_id is not null
      and (select d.next_attempt_at from logout_notices d where ${ofKind}
        and d.organization_id = waiting.organization_id and (d.client_id || '') <> ''
        order by d.next_attempt_at limit 1 offset ${bound}) > 0
    limit 1`);
  return row?.organizationId;
}

/** Lists notices beyond the bound: those that failed most, and of these the oldest; at most `limit`. */
export async function listExcessNotices(
  reader: Reader,
  { instanceId, isOfStranger, organizationId }: NoticePayer,
  { bound, limit }: { readonly bound: number; readonly limit: number },
): Promise<NoticeKey[]> {
  const ofPayer = sql`instance_id = ${instanceId} and is_of_stranger = ${isOfStranger}
    and organization_id = ${organizationId}`;
  const row = await reader.maybe<{ count: number }>(
    sql`select count(*) as "count" from logout_notices where ${ofPayer}`,
  );
  const excess = Math.min((row?.count ?? 0) - bound, limit);
  if (excess <= 0) return [];
  return reader.all<NoticeKey>(sql`select session_id as "sessionId", client_id as "clientId" from logout_notices
    where ${ofPayer} order by attempts desc, created_at, session_id, client_id limit ${excess}`);
}

/** Step: deletes notices, and returns those that were left. */
export function takeNotices(tx: Tx, notices: readonly NoticeKey[]): Promise<LogoutNotice[]> {
  const keys = notices.map(({ sessionId, clientId }) => sql`(${sessionId}, ${clientId})`);
  return tx.all<LogoutNotice>(sql`delete from logout_notices
    where instance_id = ${tx.instanceId} and session_id in ${list(notices.map(({ sessionId }) => sessionId))}
      and (session_id, client_id) in (values ${join(keys, ", ")})
    returning instance_id as "instanceId", session_id as "sessionId", client_id as "clientId", user_id as "userId",
      name_id as "nameId", owner_id as "ownerId", attempts as "attempt", created_at as "createdAt"`);
}
