import type { Instant } from "../../base/clock.ts";
import { type NewEvent, type Reader, sql, text } from "../../database/index.ts";

/** Which part of a record's history is wanted. */
export interface ChangePage {
  readonly limit: number;
  readonly isAscending: boolean;
  /** Where the page before ended: only what happened after it when ascending, before it when descending. */
  readonly fromSequence?: number | undefined;
  /** Nothing that happened before it. */
  readonly since?: Instant | undefined;
}

/** Something that happened to a record. */
export interface ListedChange {
  readonly type: string;
  readonly ownerId: string;
  readonly sequence: number;
  readonly createdAt: Instant;
  /** Empty when nobody in particular did it. */
  readonly editorUserId: string;
  /** As the user is named now; empty when there is no such user any more. */
  readonly editorName: string;
  readonly editorLoginName: string;
  readonly editorAvatarFile: string;
}

/** A part of the history of one record, by its sequence: the primary key of events. */
export function findChanges(
  reader: Reader,
  instanceId: string,
  record: Pick<NewEvent, "aggregateType" | "aggregateId">,
  { limit, isAscending, fromSequence, since }: ChangePage,
): Promise<ListedChange[]> {
  const ascending = sql`and e.sequence > ${fromSequence ?? 0} order by e.sequence`;
  const descending = sql`and e.sequence < ${fromSequence ?? Number.MAX_SAFE_INTEGER} order by e.sequence desc`;
  const recent = since === undefined ? sql`` : sql`and e.created_at >= ${since}`;
  return reader.all<ListedChange>(sql`select e.type, e.owner_id as "ownerId", e.sequence, e.created_at as "createdAt",
      coalesce(e.editor_user_id, '') as "editorUserId", ${editorNames}
    from events e left join users u on u.instance_id = e.instance_id and u.user_id = e.editor_user_id
    where e.instance_id = ${instanceId} and e.aggregate_type = ${record.aggregateType}
      and e.aggregate_id = ${record.aggregateId} ${recent} ${isAscending ? ascending : descending} limit ${limit}`);
}

const editorNames = text(`coalesce(u.display_name, '') as "editorName",
  coalesce(u.preferred_login_name, '') as "editorLoginName", coalesce(u.avatar_file, '') as "editorAvatarFile"`);
