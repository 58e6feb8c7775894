import type { Instant } from "../../base/clock.ts";
import { type NewEvent, type Reader, readerAtLength, sql, text } from "../../database/index.ts";
import { isInView, type VisibleUsers } from "../user/index.ts";

/** Which part of a record's history is requested. */
export interface ChangePage {
  readonly limit: number;
  readonly isAscending: boolean;
  /** Where the preceding page ended: only what happened after it when ascending, before it when descending. */
  readonly fromSequence?: number | undefined;
  /** Excludes everything before this instant. */
  readonly since?: Instant | undefined;
}

/** A change of a record. */
export interface ListedChange {
  readonly type: string;
  readonly ownerId: string;
  readonly sequence: number;
  readonly createdAt: Instant;
  /** Empty when no particular user did it. */
  readonly editorUserId: string;
  /** The user's current name; empty when the user no longer exists, or the caller may not see the user. */
  readonly editorName: string;
  readonly editorLoginName: string;
  readonly editorAvatarFile: string;
  /** The application through which the user changed themselves; empty otherwise. */
  readonly editorClientId: string;
  /** Network that the request came from; empty when another user made it, whose address it would be. */
  readonly source: string;
  /** Why an administrator signed in as the user; absent for other changes. */
  readonly reason?: string;
}

/**
 * Finds part of the history of one record, by its sequence: the primary key of events. Earlier versions could give the
 * id of a deleted record to another one: what came before a deletion is the history of the former record.
 */
export async function findChanges(
  reader: Reader,
  instanceId: string,
  record: Pick<NewEvent, "aggregateType" | "aggregateId">,
  { view, limit, isAscending, fromSequence, since }: ChangePage & { readonly view: VisibleUsers },
): Promise<ListedChange[]> {
  const ascending = sql`and e.sequence > ${fromSequence ?? 0} order by e.sequence`;
  const descending = sql`and e.sequence < ${fromSequence ?? Number.MAX_SAFE_INTEGER} order by e.sequence desc`;
  const recent = since === undefined ? sql`` : sql`and e.created_at >= ${since}`;
  // By the index events_deletions, whose condition the last line is. The kind of record is that of the type: compared
  // as well, it would lead engines to the key, along all events of the record.
  const former = sql`(select max(f.sequence) from events f where f.instance_id = ${instanceId}
    and f.type = ${`${record.aggregateType}.deleted`} and f.aggregate_id = ${record.aggregateId}
    and substr(f.type, length(f.aggregate_type) + 1) = '.deleted')`;
  // The key does not tell where the recent ones begin.
  const rows = await (since === undefined ? reader : readerAtLength(reader)).all<
    ListedChange & { editorOrganizationId: string; payload: string | null }
  >(sql`select e.type, e.owner_id as "ownerId", e.sequence, e.created_at as "createdAt",
      coalesce(e.editor_user_id, '') as "editorUserId", ${editorNames},
      coalesce(e.editor_client_id, '') as "editorClientId", coalesce(e.source, '') as "source",
      case when e.type = 'user.impersonation.started' then e.payload end as "payload"
    from events e left join users u on u.instance_id = e.instance_id and u.user_id = e.editor_user_id
    where e.instance_id = ${instanceId} and e.aggregate_type = ${record.aggregateType}
      and e.aggregate_id = ${record.aggregateId} and e.sequence > coalesce(${former}, 0)
      ${recent} ${isAscending ? ascending : descending} limit ${limit}`);
  return rows.map(({ editorOrganizationId: organizationId, payload, ...found }) => {
    const { editorUserId: userId } = found;
    const isOwn = userId === "" || userId === record.aggregateId;
    const told = payload === null ? found : { ...found, ...reasonIn(payload) };
    const change = isOwn ? told : { ...told, editorClientId: "", source: "" };
    return isInView(view, { userId, organizationId }) ? change : { ...change, ...unnamed };
  });
}

function reasonIn(payload: string): Pick<ListedChange, "reason"> {
  const { reason } = JSON.parse(payload) as { readonly reason?: string };
  return reason === undefined ? {} : { reason };
}

const unnamed = { editorName: "", editorLoginName: "", editorAvatarFile: "" } as const;

const editorNames = text(`coalesce(u.display_name, '') as "editorName",
  coalesce(u.preferred_login_name, '') as "editorLoginName", coalesce(u.avatar_file, '') as "editorAvatarFile",
  coalesce(u.organization_id, '') as "editorOrganizationId"`);
