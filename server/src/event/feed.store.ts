import type { Instant } from "../base/clock.ts";
import { type Reader, sql, type Tx, text } from "../database/index.ts";

/**
 * A position in the feed: after the event with this transaction and position. On SQLite, where a single writer assigns
 * positions in the order of commits, the transaction is always "0".
 */
export interface FeedCursor {
  readonly transactionId: string;
  readonly position: number;
}

/** The position before the first event. */
export const feedStart: FeedCursor = { transactionId: "0", position: 0 };

/** An event of the feed. */
export interface FeedEvent {
  readonly cursor: FeedCursor;
  readonly instanceId: string;
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly ownerId: string;
  readonly sequence: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly editorUserId?: string;
  readonly editorClientId?: string;
  readonly requestId: string;
  readonly createdAt: Instant;
}

interface Row {
  readonly transactionId: string;
  readonly position: number;
  readonly instanceId: string;
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly ownerId: string;
  readonly sequence: number;
  readonly payload: string;
  readonly editorUserId: string | null;
  readonly editorClientId: string | null;
  readonly requestId: string;
  readonly createdAt: Instant;
}

const columns = text(`position, instance_id as "instanceId", type, aggregate_type as "aggregateType",
  aggregate_id as "aggregateId", owner_id as "ownerId", sequence, payload, editor_user_id as "editorUserId",
  editor_client_id as "editorClientId", request_id as "requestId", created_at as "createdAt"`);

/**
 * Lists the events of all instances after a position, at most `limit`. On PostgreSQL it returns only events of
 * transactions older than every running transaction. A position is assigned before its transaction commits, so a reader
 * that relied on positions alone would miss the events of a slow one. (This covers the whole server: a long transaction
 * in another database delays the feed too.)
 */
export async function listFeed(reader: Reader, after: FeedCursor, limit: number): Promise<FeedEvent[]> {
  const statement =
    reader.engine === "sqlite"
      ? sql`select '0' as "transactionId", ${columns} from events where position > ${after.position}
          order by position limit ${limit}`
      : sql`select transaction_id::text as "transactionId", ${columns} from events
          where (transaction_id, position) > (${after.transactionId}::text::xid8, ${after.position})
            and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
          order by events.transaction_id, position limit ${limit}`;
  return (await reader.all<Row>(statement)).map(toFeedEvent);
}

/** Returns the position of a follower; undefined when it never ran. */
export async function findCursor(reader: Reader, follower: string): Promise<FeedCursor | undefined> {
  return reader.maybe<FeedCursor>(sql`select transaction_id as "transactionId", position
    from feed_cursors where follower = ${follower}`);
}

/** Inserts the cursor of a new follower. An existing cursor stays. */
export async function insertCursor(tx: Tx, follower: string, cursor: FeedCursor): Promise<void> {
  await tx.run(sql`insert into feed_cursors (follower, transaction_id, position, changed_at)
    values (${follower}, ${cursor.transactionId}, ${cursor.position}, ${tx.now}) on conflict do nothing`);
}

/** Moves a follower from one position to the next. Returns false when it is elsewhere: another node was faster. */
export async function moveCursor(tx: Tx, follower: string, from: FeedCursor, to: FeedCursor): Promise<boolean> {
  const moved = await tx.run(sql`update feed_cursors
    set transaction_id = ${to.transactionId}, position = ${to.position}, changed_at = ${tx.now}
    where follower = ${follower} and transaction_id = ${from.transactionId} and position = ${from.position}`);
  return moved === 1;
}

function toFeedEvent({ transactionId, position, payload, editorUserId, editorClientId, ...row }: Row): FeedEvent {
  return {
    ...row,
    cursor: { transactionId, position },
    payload: JSON.parse(payload) as Record<string, unknown>,
    ...(editorUserId === null ? {} : { editorUserId }),
    ...(editorClientId === null ? {} : { editorClientId }),
  };
}

/** How far a follower is. */
export interface FollowerState {
  readonly follower: string;
  readonly position: number;
  /** When it last moved. */
  readonly movedAt: Instant;
  /** When the last event that it handled happened; null when that event is gone. */
  readonly eventAt: Instant | null;
}

/** Lists all followers of the feed, with the last events of any instance that they handled. */
export function listFollowers(reader: Reader): Promise<FollowerState[]> {
  const handled =
    reader.engine === "sqlite"
      ? sql`e.position = c.position`
      : sql`e.transaction_id = c.transaction_id::text::xid8 and e.position = c.position`;
  return reader.all<FollowerState>(sql`select c.follower, c.position, c.changed_at as "movedAt",
      e.created_at as "eventAt"
    from feed_cursors c left join events e on ${handled} order by c.follower`);
}

/**
 * Finds when the last event of an instance happened that a follower handled. No event happened after it was handled, so
 * the search begins where the follower last moved, however long ago that was.
 */
export async function findHandledAt(
  reader: Reader,
  instanceId: string,
  { follower, movedAt }: Pick<FollowerState, "follower" | "movedAt">,
): Promise<Instant | undefined> {
  const isHandled =
    reader.engine === "sqlite"
      ? sql`e.position <= (select c.position from feed_cursors c where c.follower = ${follower})`
      : sql`(e.transaction_id, e.position) <= (select c.transaction_id::text::xid8, c.position from feed_cursors c
          where c.follower = ${follower})`;
  const row = await reader.maybe<{ createdAt: Instant }>(sql`select e.created_at as "createdAt" from events e
    where e.instance_id = ${instanceId} and e.created_at <= ${movedAt} and ${isHandled} order by e.created_at desc, e.position desc limit 1`);
  return row?.createdAt;
}
