import type { Instant } from "../base/clock.ts";
import { type Reader, sql, type Tx, text } from "../database/index.ts";

/**
 * A place in the feed: after the event of this transaction and position. On SQLite, where one writer gives positions in the
 * order of commits, the transaction is always "0".
 */
export interface FeedPlace {
  readonly transactionId: string;
  readonly position: number;
}

/** Before the first event. */
export const feedStart: FeedPlace = { transactionId: "0", position: 0 };

/** An event as the feed gives it. */
export interface FeedEvent {
  readonly place: FeedPlace;
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
 * The events of all instances after a place, at most `limit`. On PostgreSQL only those of transactions older than every
 * transaction that still runs: a position is given before its transaction commits, so a reader that went by positions alone
 * would pass over the events of a slow one. (Of the whole server: a long transaction in another database delays the feed too.)
 */
export async function listFeed(reader: Reader, after: FeedPlace, limit: number): Promise<FeedEvent[]> {
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

/** How far a follower came; undefined when it never ran. */
export async function findCursor(reader: Reader, follower: string): Promise<FeedPlace | undefined> {
  return reader.maybe<FeedPlace>(sql`select transaction_id as "transactionId", position
    from feed_cursors where follower = ${follower}`);
}

/** Makes the cursor of a new follower. Where there is one already it stays. */
export async function insertCursor(tx: Tx, follower: string, place: FeedPlace): Promise<void> {
  await tx.run(sql`insert into feed_cursors (follower, transaction_id, position, changed_at)
    values (${follower}, ${place.transactionId}, ${place.position}, ${tx.now}) on conflict do nothing`);
}

/** Moves a follower from one place to the next. False when it is elsewhere: another node was faster. */
export async function moveCursor(tx: Tx, follower: string, from: FeedPlace, to: FeedPlace): Promise<boolean> {
  const moved = await tx.run(sql`update feed_cursors
    set transaction_id = ${to.transactionId}, position = ${to.position}, changed_at = ${tx.now}
    where follower = ${follower} and transaction_id = ${from.transactionId} and position = ${from.position}`);
  return moved === 1;
}

function toFeedEvent({ transactionId, position, payload, editorUserId, editorClientId, ...row }: Row): FeedEvent {
  return {
    ...row,
    place: { transactionId, position },
    payload: JSON.parse(payload) as Record<string, unknown>,
    ...(editorUserId === null ? {} : { editorUserId }),
    ...(editorClientId === null ? {} : { editorClientId }),
  };
}
