import { minutes } from "../base/clock.ts";
import { createLanes } from "../base/lanes.ts";
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

export interface DeliverDeps extends CallTargetDeps, QueueDeps {
  /** Told of every attempt that failed, with what it was about. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
  /** Told of every failure that nobody expected. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** How many attempts ended how since the last time. */
export type DeliveryCounts = Readonly<Record<"delivered" | "postponed" | "failed", number>>;

/** Empties the queues of the targets. */
export interface TargetDelivery {
  /** Begins with what is due, without waiting for it. */
  wake(): void;
  /** Delivers what is due and resolves when nothing is left of it. */
  run(): Promise<DeliveryCounts>;
  /** Ends what is on its way; a later process, or another node, tries it again. */
  stop(): Promise<void>;
}

// Queues that one process empties at a time, and calls of one target at a time.
const lanes = 8;
const wave = 8;
// What a call may take beside the time that its target was given.
const margin = minutes(1);

/** Makes the sender of the queues. Any number of nodes may have one: a queue is held by one of them. */
export function createTargetDelivery(deps: DeliverDeps): TargetDelivery {
  let counts = { delivered: 0, postponed: 0, failed: 0 };

  const attempt = async (
    queue: HeldQueue,
    target: CallableTarget,
    delivery: DueDelivery,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const outcome = await deliver(deps, queue, { target, delivery, signal });
    // Whoever comes next finds it as it was.
    if (signal.aborted && outcome.failure !== undefined) return false;
    const end = await settle(deps, queue, delivery, outcome);
    counts[end]++;
    if (end === "delivered") return true;
    const { instanceId, targetId } = queue;
    const message = end === "failed" ? "a delivery was given up" : "a delivery is tried again";
    const { subject, number, attempts } = delivery;
    deps.warn(message, { instanceId, targetId, subject, number, attempt: attempts + 1, failure: outcome.failure });
    return false;
  };
  const visit = async (queue: HeldQueue, stopping: AbortSignal): Promise<void> => {
    let tookNothing = false;
    while (!stopping.aborted && !tookNothing) {
      const found = await readQueue(deps, queue, wave);
      if (found === undefined) return discardQueue(deps, queue);
      if (found.due.length === 0) break;
      if (!(await keepQueue(deps, queue, found.target.timeout + margin))) return;
      const ends = await Promise.all(found.due.map((delivery) => attempt(queue, found.target, delivery, stopping)));
      tookNothing = !ends.includes(true);
    }
    await releaseQueue(deps, queue, { tookNothing: tookNothing && !stopping.aborted });
  };
  const { wake, drain, stop } = createLanes({
    most: lanes,
    take: () => holdQueue(deps, margin),
    perform: visit,
    report: (error) => deps.report(error, "deliveries"),
  });
  return {
    wake,
    stop,
    run: async () => {
      await drain();
      const done = counts;
      counts = { delivered: 0, postponed: 0, failed: 0 };
      return done;
    },
  };
}

/** One attempt. Whatever happens is named in a word. */
async function deliver(
  deps: DeliverDeps,
  queue: HeldQueue,
  given: { readonly target: CallableTarget; readonly delivery: DueDelivery; readonly signal: AbortSignal },
): Promise<{ readonly failure?: string; readonly isFinal?: boolean }> {
  const { target, delivery, signal } = given;
  const call = { instanceId: queue.instanceId, requestId: "deliveries", now: deps.clock(), language: "en" } as const;
  try {
    const payload = await readPayload(deps, queue, delivery);
    if (payload === undefined) return { failure: "event_gone", isFinal: true };
    // What is answered changes nothing any more, so there is nothing that could be wrong with it.
    const kind = target.kind === "call" ? "webhook" : target.kind;
    await callTarget(deps, call, { ...target, kind }, payload, signal);
    return {};
  } catch (error) {
    if (error instanceof TargetFailure) return error.refusal === undefined ? { failure: error.failure } : {};
    deps.report(error, "deliveries");
    return { failure: "internal" };
  }
}
