import { type Clock, toIso } from "../../base/clock.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import type { Random } from "../../base/random.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { originalForm } from "../../event/index.ts";
import {
  deletePendingDeliveries,
  deleteQueue,
  extendHold,
  findNextAttemptAt,
  holdDueQueue,
  listDueDeliveries,
  listDueQueues,
  lockQueue,
  postponeDelivery,
  releaseQueueRow,
  settleDelivery,
} from "./delivery.store.ts";
import { type Delivery, type HeldQueue, nextDeliveryAt, nextVisitAt, payloadContext } from "./delivery.ts";
import { findEvent } from "./event-of-delivery.store.ts";
import { findCallableTarget } from "./execution-directory.store.ts";
import type { CallableTarget } from "./target.ts";

export interface QueueDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly vault: Vault;
}

/** A delivery that is due, in the held queue. */
export type DueDelivery = Delivery & { readonly lane: string };

const batchSize = 200;

// Several, because other nodes may hold the first ones by now.
const candidates = 10;
// A transaction may hold many at once, for example those of an instance that is being deleted.
const rounds = 10;

const callOf = (deps: Pick<QueueDeps, "clock">, instanceId: string): Call => ({
  instanceId,
  requestId: "deliveries",
  now: deps.clock(),
  language: "en",
});

/**
 * Takes hold, for `duration` milliseconds, of the queue of any instance, except the given ones, that has been due the
 * longest; undefined when none is due. The queues are listed without a lock, and taking one is a unit of work of its
 * instance.
 */
export async function holdQueue(
  deps: QueueDeps,
  duration: number,
  except: readonly string[] = [],
): Promise<HeldQueue | undefined> {
  const now = deps.clock();
  for (let round = 0; round < rounds; round++) {
    const page = { limit: candidates, offset: round * candidates };
    const due = await listDueQueues(deps.database.read, { now, except, ...page });
    for (const { instanceId, targetId } of due) {
      const holder = deps.random(16).toString("base64url");
      const call = { ...callOf(deps, instanceId), now };
      const wanted = { targetId, holder, until: now + duration };
      const held = await deps.database.touch(call, (tx) => holdDueQueue(tx, wanted));
      if (held !== undefined) return held;
    }
    if (due.length < candidates) return undefined;
  }
  return undefined;
}

/**
 * Extends the hold of a queue by `duration` from now. False when another holder took it because this one was too slow.
 */
export function keepQueue(deps: QueueDeps, queue: HeldQueue, duration: number): Promise<boolean> {
  const call = callOf(deps, queue.instanceId);
  return deps.database.touch(call, (tx) => extendHold(tx, queue, call.now + duration));
}

/**
 * Returns the current target of a queue, with the oldest due delivery of each lane. Undefined when the target was
 * deleted.
 */
export async function readQueue(
  deps: QueueDeps,
  queue: HeldQueue,
  limit: number,
): Promise<{ readonly target: CallableTarget; readonly due: readonly DueDelivery[] } | undefined> {
  const { read } = deps.database;
  const target = await findCallableTarget(read, queue.instanceId, queue.targetId);
  if (target === undefined) return undefined;
  return { target, due: await listDueDeliveries(read, queue, deps.clock(), limit) };
}

/**
 * Removes the queue of a deleted target, with its pending deliveries. Those that are being written, by the holder that
 * was visiting when the target was deleted, are left to the next visit, and with them the queue.
 */
export async function discardQueue(deps: QueueDeps, queue: HeldQueue): Promise<void> {
  const call = callOf(deps, queue.instanceId);
  let count: number;
  do count = await deps.database.touch(call, (tx) => deletePendingDeliveries(tx, queue, batchSize));
  while (count === batchSize);
  await deps.database.touch(call, async (tx) => {
    // Deliveries queued from now on wait for the end of this transaction, and make a queue of their own.
    if (await lockQueue(tx, queue)) await deleteQueue(tx, queue);
  });
}

/** Returns the payload of a delivery; undefined when the event no longer exists. */
export async function readPayload(
  deps: QueueDeps,
  { instanceId, targetId }: HeldQueue,
  delivery: DueDelivery,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (delivery.payload !== undefined) {
    const sealed = deps.vault.decrypt(delivery.payload, payloadContext(instanceId, targetId, delivery.lane));
    const payload = parseJson(sealed.reveal());
    return isRecord(payload) ? payload : undefined;
  }
  const event = delivery.event && (await findEvent(deps.database.read, instanceId, delivery.event));
  if (event === undefined) return undefined;
  const payload = parseJson(event.payload) as Readonly<Record<string, unknown>>;
  const own = { ...event, payload };
  // The subject is the name that the target knows.
  const shown = delivery.subject === event.type ? own : originalForm(own, delivery.subject);
  return {
    aggregateID: shown.aggregateId,
    aggregateType: shown.aggregateType,
    resourceOwner: event.ownerId,
    instanceID: instanceId,
    version: "v1",
    sequence: event.sequence,
    event_type: shown.type,
    created_at: toIso(event.createdAt),
    userID: event.editorUserId ?? "",
    event_payload: shown.payload,
  };
}

/** How an attempt ended: the delivery succeeded, will be attempted again, or is given up. */
export type DeliveryEnd = "delivered" | "postponed" | "failed";

/**
 * Records how an attempt ended. `failure` names what went wrong; `isFinal` marks failures that no further attempt can
 * repair.
 */
export async function settle(
  deps: QueueDeps,
  queue: HeldQueue,
  delivery: DueDelivery,
  { failure, isFinal = false }: { readonly failure?: string; readonly isFinal?: boolean },
): Promise<DeliveryEnd> {
  const call = callOf(deps, queue.instanceId);
  const next = failure === undefined || isFinal ? undefined : nextDeliveryAt(delivery.attempts + 1, call.now);
  return deps.database.touch(call, async (tx) => {
    if (failure !== undefined && next !== undefined) {
      await postponeDelivery(tx, queue, delivery, { at: next, failure });
      return "postponed";
    }
    const state = failure === undefined ? "delivered" : "failed";
    await settleDelivery(tx, queue, delivery, { state, failure });
    return state;
  });
}

/** Releases a queue. A target that accepted nothing is paused, for longer each time. */
export async function releaseQueue(
  deps: QueueDeps,
  queue: HeldQueue,
  { tookNothing }: { readonly tookNothing: boolean },
): Promise<void> {
  const call = callOf(deps, queue.instanceId);
  await deps.database.touch(call, async (tx) => {
    // Deliveries queued from now on wait for the end of this transaction, so none of them is overlooked.
    if (!(await lockQueue(tx, queue))) return;
    const next = await findNextAttemptAt(tx, queue);
    const failures = tookNothing ? queue.failures + 1 : 0;
    const pausedUntil = tookNothing ? nextVisitAt(queue.failures, call.now) : call.now;
    const dueAt = next === undefined ? undefined : Math.max(next, pausedUntil);
    await releaseQueueRow(tx, queue, { failures, pausedUntil, dueAt });
  });
}
