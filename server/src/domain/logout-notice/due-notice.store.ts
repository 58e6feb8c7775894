import { list, type Reader, type Sql, sql, text } from "../../database/index.ts";
import type { LogoutNotice, NoticePayer } from "./logout-notice.ts";

// Each of these jumps along an index from one value to the next, however many notices each has, and ends at the first
// one with a notice that is due. Subqueries with an order and a limit are read by that index, whatever is known of the
// table.

const isBeside = (column: Sql, values: readonly string[]): Sql =>
  values.length === 0 ? text("") : sql`and ${column} not in ${list(values)}`;

/** Finds the instance with the lowest id after the given one that has a due notice, except the given ones. */
export async function findDueInstance(
  reader: Reader,
  { now, after, except }: { readonly now: number; readonly after: string; readonly except: readonly string[] },
): Promise<string | undefined> {
  const row = await reader.maybe<{ instanceId: string }>(sql`with recursive waiting(instance_id) as (
      select (select instance_id from logout_notices where instance_id > ${after} order by instance_id limit 1)
      union all select (select n.instance_id from logout_notices n where n.instance_id > waiting.instance_id
          order by n.instance_id limit 1)
        from waiting where waiting.instance_id is not null)
    select instance_id as "instanceId" from waiting where instance_id is not null
      ${isBeside(text("instance_id"), except)}
      and (select d.next_attempt_at from logout_notices d where d.instance_id = waiting.instance_id
        and (d.session_id || '') <> '' order by d.next_attempt_at limit 1) <= ${now}
    limit 1`);
  return row?.instanceId;
}

/** Organizations of an instance whose notices are of one kind. */
export type PayerKind = Pick<NoticePayer, "instanceId" | "isOfStranger">;

/**
 * The organizations after the given one that have notices (`ofKind`), as the common table `waiting`. Without an
 * application there is no organization, and its id is empty.
 */
export function waitingPayers(ofKind: Sql, after: string | null): Sql {
  const isLater = after === null ? text("") : sql`and organization_id > ${after}`;
  return sql`with recursive waiting(organization_id) as (
      select (select organization_id from logout_notices where ${ofKind} ${isLater} order by organization_id limit 1)
      union all select (select n.organization_id from logout_notices n
          where ${ofKind} and n.organization_id > waiting.organization_id order by n.organization_id limit 1)
        from waiting where waiting.organization_id is not null)`;
}

/** Finds the organization with the lowest id after the given one that has a due notice, except the given ones. */
export async function findDuePayer(
  reader: Reader,
  { instanceId, isOfStranger }: PayerKind,
  { now, after, except }: { readonly now: number; readonly after: string | null; readonly except: readonly string[] },
): Promise<string | undefined> {
  const ofKind = sql`instance_id = ${instanceId} and is_of_stranger = ${isOfStranger}`;
  const row = await reader.maybe<{ organizationId: string }>(sql`${waitingPayers(ofKind, after)}
    select organization_id as "organizationId" from waiting where organization_id is not null
      ${isBeside(text("organization_id"), except)}
      and (select d.next_attempt_at from logout_notices d where ${ofKind}
        and d.organization_id = waiting.organization_id and (d.client_id || '') <> ''
        order by d.next_attempt_at limit 1) <= ${now}
    limit 1`);
  return row?.organizationId;
}

/**
 * Lists the notices that have been due the longest to the client with the lowest id after the given one that has any,
 * except the given ones, without a lock; at most `limit`.
 */
export function listDueNotices(
  reader: Reader,
  { instanceId, isOfStranger, organizationId }: NoticePayer,
  {
    now,
    after,
    except,
    limit,
  }: { readonly now: number; readonly after: string; readonly except: readonly string[]; readonly limit: number },
): Promise<Pick<LogoutNotice, "sessionId" | "clientId">[]> {
  const ofPayer = sql`instance_id = ${instanceId} and is_of_stranger = ${isOfStranger}
    and organization_id = ${organizationId}`;
  return reader.all(sql`with recursive waiting(client_id) as (
      select (select client_id from logout_notices where ${ofPayer} and client_id > ${after} order by client_id limit 1)
      union all select (select n.client_id from logout_notices n
          where ${ofPayer} and n.client_id > waiting.client_id order by n.client_id limit 1)
        from waiting where waiting.client_id is not null)
    select session_id as "sessionId", client_id as "clientId" from logout_notices
    where ${ofPayer} and next_attempt_at <= ${now} and client_id = (select client_id from waiting
      where client_id is not null ${isBeside(text("client_id"), except)}
        and (select d.next_attempt_at from logout_notices d where ${ofPayer} and d.client_id = waiting.client_id
          order by d.next_attempt_at limit 1) <= ${now}
      limit 1)
    order by next_attempt_at limit ${limit}`);
}
