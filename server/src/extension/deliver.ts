import { payerOf, payFor } from "../base/budget/payer.ts";
import { minutes } from "../base/clock.ts";
import { createDelivery, type Delivery, type DeliveryEnd, type DeliveryWitness } from "../base/queue/delivery.ts";
import {
  type CallableTarget,
  type DueDelivery,
  discardQueue,
  type HeldQueue,
  holdQueue,
  keepQueue,
  type QueueDeps,
  readPayload,
  readQueue,
  releaseQueue,
  settle,
} from "../domain/action/index.ts";
import { type CallTargetDeps, callTarget } from "./call-target.ts";
import { TargetFailure } from "./target-failure.ts";

export interface DeliverDeps extends CallTargetDeps, QueueDeps, DeliveryWitness {}

// How many queues one process empties at a time, in all and of one instance. The targets of a few instances that never
// answer must leave lanes to the others.
const lanes = 64;
const lanesOfInstance = 8;
const wave = 8;
// The time that a call may take in addition to its target's timeout.
const margin = minutes(1);

/**
 * Creates the sender that empties the queues of the targets. Any number of nodes may have one: each queue is held by
 * one of them.
 */
export function createTargetDelivery(deps: DeliverDeps): Delivery {
  return createDelivery<HeldQueue>(deps, {
    name: "deliveries",
    most: lanes,
    payersOf: ({ instanceId }) => [instanceId],
    shares: [lanesOfInstance],
    take: ([instances = []]) => holdQueue(deps, margin, instances),
    warnings: { failed: "a delivery was given up", postponed: "a delivery is tried again" },
    // Whichever request woke the delivery, the target that is told pays.
    perform: (queue, stopping, tell) =>
      payFor(payerOf(queue.instanceId, `target ${queue.targetId}`), () => visit(deps, queue, { stopping, tell })),
  });
}

interface Visit {
  readonly stopping: AbortSignal;
  readonly tell: (end: DeliveryEnd, details: Readonly<Record<string, unknown>>) => void;
}

async function visit(deps: DeliverDeps, queue: HeldQueue, given: Visit): Promise<void> {
  const { stopping } = given;
  let tookNothing = false;
  while (!stopping.aborted && !tookNothing) {
    const found = await readQueue(deps, queue, wave);
    if (found === undefined) return discardQueue(deps, queue);
    const { due, target } = found;
    if (due.length === 0) break;
    if (!(await keepQueue(deps, queue, target.timeout + margin))) return;
    const accepted = await Promise.all(due.map((delivery) => attempt(deps, queue, { ...given, target, delivery })));
    tookNothing = !accepted.includes(true);
  }
  await releaseQueue(deps, queue, { tookNothing: tookNothing && !stopping.aborted });
}

interface Attempt extends Visit {
  readonly target: CallableTarget;
  readonly delivery: DueDelivery;
}

/** Whether the target accepted the delivery. */
async function attempt(deps: DeliverDeps, queue: HeldQueue, given: Attempt): Promise<boolean> {
  const { target, delivery, stopping, tell } = given;
  const outcome = await deliver(deps, queue, { target, delivery, signal: stopping });
  // The next process finds the delivery unchanged.
  if (stopping.aborted && outcome.failure !== undefined) return false;
  const end = await settle(deps, queue, delivery, outcome);
  const { instanceId, targetId } = queue;
  const { subject, number, attempts } = delivery;
  const { failure, detail } = outcome;
  tell(end, { instanceId, targetId, subject, number, attempt: attempts + 1, failure, detail });
  return end === "delivered";
}

/** Makes one attempt, and returns its outcome in a word. */
async function deliver(
  deps: DeliverDeps,
  queue: HeldQueue,
  given: { readonly target: CallableTarget; readonly delivery: DueDelivery; readonly signal: AbortSignal },
): Promise<{ readonly failure?: string; readonly isFinal?: boolean; readonly detail?: string | undefined }> {
  const { target, delivery, signal } = given;
  const call = { instanceId: queue.instanceId, requestId: "deliveries", now: deps.clock(), language: "en" } as const;
  try {
    const payload = await readPayload(deps, queue, delivery);
    if (payload === undefined) return { failure: "event_gone", isFinal: true };
    // A response no longer has any effect, so its content cannot be wrong.
    const kind = target.kind === "call" ? "webhook" : target.kind;
    await callTarget(deps, call, { ...target, kind }, payload, { signal });
    return {};
  } catch (error) {
    if (error instanceof TargetFailure) {
      const { failure, refusal, detail } = error;
      return refusal === undefined ? { failure, detail } : {};
    }
    deps.report(error, "deliveries");
    return { failure: "internal" };
  }
}
