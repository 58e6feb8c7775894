import { type EndedRows, list, type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { Delivery, HeldQueue } from "./delivery.ts";

/** A delivery to be queued. Deliveries of one `lane` are made one after the other. */
export interface NewDelivery {
  readonly instanceId: string;
  readonly targetId: string;
  readonly lane: string;
  readonly subject: string;
  readonly event?: { readonly aggregateType: string; readonly aggregateId: string; readonly sequence: number };
  readonly payload?: string;
}

/** Takes the next number of a queue and makes the queue due. The row is locked until the unit of work ends. */
export async function takeNumber(tx: Tx, instanceId: string, targetId: string): Promise<number> {
  const row = await tx.maybe<{
    newest: number;
  }>(sql`insert into delivery_queues (instance_id, target_id, newest, due_at,
      holder, paused_until, failures)
    values (${instanceId}, ${targetId}, 1, ${tx.now}, null, 0, 0)
    on conflict (instance_id, target_id) do update set newest = delivery_queues.newest + 1,
      due_at = case when delivery_queues.holder is not null then delivery_queues.due_at
        when delivery_queues.paused_until > excluded.due_at then delivery_queues.paused_until
        else excluded.due_at end
    returning newest`);
  return row?.newest ?? 0;
}

export async function insertDelivery(tx: Tx, number: number, delivery: NewDelivery): Promise<void> {
  const { instanceId, targetId, lane, subject, event, payload } = delivery;
  await tx.run(sql`insert into deliveries (instance_id, target_id, number, lane, subject, aggregate_type, aggregate_id,
      event_sequence, payload, state, attempts, next_attempt_at, created_at)
    values (${instanceId}, ${targetId}, ${number}, ${lane}, ${subject}, ${event?.aggregateType}, ${event?.aggregateId},
      ${event?.sequence}, ${payload}, 'pending', 0, ${tx.now}, ${tx.now})`);
}

// More rows than that are not looked at: a queue of so many has no room for large payloads.
const mostSummed = 5000;

/** Whether the payloads that wait for a target have fewer bytes than given, and are few enough to be added up. */
export async function haveFewerBytes(tx: Tx, targetId: string, bytes: number): Promise<boolean> {
  const row = await tx.maybe<{ bytes: number | null; count: number }>(sql`select sum(octet_length(payload)) as "bytes",
      count(*) as "count"
    from (select payload from deliveries where instance_id = ${tx.instanceId} and target_id = ${targetId}
      and state = 'pending' limit ${mostSummed}) waiting`);
  return Number(row?.bytes ?? 0) < bytes && (row?.count ?? 0) < mostSummed;
}

/**
 * Lists the queues of any instance, except the given ones, that have been due the longest, without a lock; at most
 * `limit` after `offset` others.
 */
export function listDueQueues(
  reader: Reader,
  {
    now,
    except,
    limit,
    offset,
  }: { readonly now: number; readonly except: readonly string[]; readonly limit: number; readonly offset: number },
): Promise<Pick<HeldQueue, "instanceId" | "targetId">[]> {
  return reader.all<Pick<HeldQueue, "instanceId" | "targetId">>(sql`select instance_id as "instanceId",
      target_id as "targetId" from delivery_queues
    where due_at <= ${now} ${isOfOthers(except)}
    order by due_at limit ${limit} offset ${offset}`);
}

const isOfOthers = (instanceIds: readonly string[]): Sql =>
  instanceIds.length === 0 ? sql`` : sql`and instance_id not in ${list(instanceIds)}`;

/** Step: takes hold of a queue of the instance until the given instant, unless it is no longer due or locked. */
export function holdDueQueue(
  tx: Tx,
  { targetId, holder, until }: { readonly targetId: string; readonly holder: string; readonly until: number },
): Promise<HeldQueue | undefined> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  return tx.maybe<HeldQueue>(sql`update delivery_queues set holder = ${holder}, due_at = ${until}
    where instance_id = ${tx.instanceId} and target_id in (select q.target_id from delivery_queues q
      where q.instance_id = ${tx.instanceId} and q.target_id = ${targetId} and q.due_at <= ${tx.now} ${hold})
    returning instance_id as "instanceId", target_id as "targetId", holder, failures`);
}

/** Step: extends the hold of a queue. False when another holder took it because this one was too slow. */
export async function extendHold(tx: Tx, queue: HeldQueue, until: number): Promise<boolean> {
  const changed = await tx.run(sql`update delivery_queues set due_at = ${until}
    where instance_id = ${queue.instanceId} and target_id = ${queue.targetId} and holder = ${queue.holder}`);
  return changed === 1;
}

/** Locks a held queue, so that no delivery is added until the unit of work ends. False when the hold was lost. */
export async function lockQueue(tx: Tx, queue: HeldQueue): Promise<boolean> {
  const row = await tx.maybe<{ newest: number }>(sql`select newest from delivery_queues
    where instance_id = ${queue.instanceId} and target_id = ${queue.targetId} and holder = ${queue.holder}
    ${rowLock(tx, "alone")}`);
  return row !== undefined;
}

/** Returns when the next pending delivery of a queue is to be attempted; undefined when none is pending. */
export async function findNextAttemptAt(tx: Tx, queue: HeldQueue): Promise<number | undefined> {
  const row = await tx.maybe<{ at: number | null }>(sql`select min(next_attempt_at) as "at" from deliveries
    where instance_id = ${queue.instanceId} and target_id = ${queue.targetId} and state = 'pending'`);
  return row?.at ?? undefined;
}

/** Releases a queue. */
export async function releaseQueueRow(
  tx: Tx,
  queue: HeldQueue,
  next: { readonly dueAt: number | undefined; readonly pausedUntil: number; readonly failures: number },
): Promise<void> {
  await tx.run(sql`update delivery_queues set holder = null, due_at = ${next.dueAt}, paused_until = ${next.pausedUntil},
      failures = ${next.failures}
    where instance_id = ${queue.instanceId} and target_id = ${queue.targetId} and holder = ${queue.holder}`);
}

/** Makes the queue of a deleted target due, so that its next visit discards what is in it. */
export async function endQueue(tx: Tx, targetId: string): Promise<void> {
  await tx.run(sql`update delivery_queues set due_at = ${tx.now}, holder = null
    where instance_id = ${tx.instanceId} and target_id = ${targetId}`);
}

/** Deletes at most `limit` pending deliveries of a queue; returns how many. */
export function deletePendingDeliveries(tx: Tx, queue: HeldQueue, limit: number): Promise<number> {
  const ofQueue = sql`instance_id = ${queue.instanceId} and target_id = ${queue.targetId}`;
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  return tx.run(sql`with batch as materialized (select number from deliveries
      where ${ofQueue} and state = 'pending' limit ${limit} ${hold})
    delete from deliveries where ${ofQueue} and number in (select number from batch)`);
}

/**
 * Removes a queue that the caller holds, unless a delivery is pending in it: without its queue none would be found
 * again.
 */
export async function deleteQueue(tx: Tx, queue: HeldQueue): Promise<void> {
  await tx.run(sql`delete from delivery_queues where instance_id = ${queue.instanceId} and target_id = ${queue.targetId}
    and holder = ${queue.holder} and not exists (select 1 from deliveries d where d.instance_id = ${queue.instanceId}
      and d.target_id = ${queue.targetId} and d.state = 'pending')`);
}

interface Row {
  readonly targetId: string;
  readonly number: number;
  readonly lane: string;
  readonly subject: string;
  readonly aggregateType: string | null;
  readonly aggregateId: string | null;
  readonly eventSequence: number | null;
  readonly payload: string | null;
  readonly attempts: number;
}

/** Lists the oldest pending delivery of each lane of a queue, if it is due; the lowest numbers first. */
export async function listDueDeliveries(
  reader: Reader,
  queue: HeldQueue,
  now: number,
  limit: number,
): Promise<(Delivery & { readonly lane: string })[]> {
  const { instanceId, targetId } = queue;
  const rows = await reader.all<Row>(sql`select d.target_id as "targetId", d.number, d.lane, d.subject,
      d.aggregate_type as "aggregateType", d.aggregate_id as "aggregateId", d.event_sequence as "eventSequence",
      d.payload, d.attempts
    from deliveries d
    where d.instance_id = ${instanceId} and d.target_id = ${targetId} and d.state = 'pending'
      and d.next_attempt_at <= ${now}
      and not exists (select 1 from deliveries e where e.instance_id = ${instanceId} and e.target_id = ${targetId}
        and e.lane = d.lane and e.number < d.number and e.state = 'pending')
    order by d.number limit ${limit}`);
  return rows.map(toDelivery);
}

function toDelivery(row: Row): Delivery & { readonly lane: string } {
  const { targetId, number, lane, subject, aggregateType, aggregateId, eventSequence, payload, attempts } = row;
  return {
    targetId,
    number,
    lane,
    subject,
    attempts,
    ...(aggregateType !== null &&
      aggregateId !== null &&
      eventSequence !== null && { event: { aggregateType, aggregateId, sequence: eventSequence } }),
    ...(payload !== null && { payload }),
  };
}

/** Records that a delivery ended, and removes its payload. */
export async function settleDelivery(
  tx: Tx,
  queue: HeldQueue,
  delivery: Delivery,
  end: { readonly state: "delivered" | "failed"; readonly failure: string | undefined },
): Promise<void> {
  await tx.run(sql`update deliveries set state = ${end.state}, attempts = ${delivery.attempts + 1}, failure = ${end.failure},
      payload = null, settled_at = ${tx.now}
    where instance_id = ${queue.instanceId} and target_id = ${queue.targetId} and number = ${delivery.number}
      and attempts = ${delivery.attempts} and state = 'pending'`);
}

/**
 * Records that an attempt failed and when the next one is due. Later deliveries of the same lane wait until then as
 * well.
 */
export async function postponeDelivery(
  tx: Tx,
  queue: HeldQueue,
  delivery: Delivery & { readonly lane: string },
  next: { readonly at: number; readonly failure: string },
): Promise<void> {
  const { instanceId, targetId } = queue;
  await tx.run(sql`update deliveries set attempts = ${delivery.attempts + 1}, failure = ${next.failure}
    where instance_id = ${instanceId} and target_id = ${targetId} and number = ${delivery.number}
      and attempts = ${delivery.attempts} and state = 'pending'`);
  await tx.run(sql`update deliveries set next_attempt_at = ${next.at}
    where instance_id = ${instanceId} and target_id = ${targetId} and lane = ${delivery.lane} and state = 'pending'
      and next_attempt_at < ${next.at}`);
}

/** Log entries of deliveries that ended before the instant. */
export const settledDeliveries = (before: number): EndedRows => ({
  table: text("deliveries"),
  where: () => sql`settled_at < ${before}`,
});
