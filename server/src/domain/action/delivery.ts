import { hours, type Instant, minutes, seconds } from "../../base/clock.ts";

/** Something that is delivered to a target asynchronously. */
export interface Delivery {
  readonly targetId: string;
  /** Position in the queue of the target. */
  readonly number: number;
  readonly subject: string;
  /** The event to deliver, for events. */
  readonly event?: { readonly aggregateType: string; readonly aggregateId: string; readonly sequence: number };
  /** What is sent, encrypted, for everything else. */
  readonly payload?: string;
  /** Attempts so far. */
  readonly attempts: number;
}

export type DeliveryState = "pending" | "delivered" | "failed";

/** A delivery as the log shows it. */
export interface ListedDelivery extends Pick<Delivery, "number" | "subject" | "event" | "attempts"> {
  readonly state: DeliveryState;
  /** Why the last attempt failed, in one word. */
  readonly failure?: string;
  readonly createdAt: Instant;
  /** Present only while the delivery is pending. */
  readonly nextAttemptAt?: Instant;
  readonly settledAt?: Instant;
}

/** The queue of a target, held by one node for a while. */
export interface HeldQueue {
  readonly instanceId: string;
  readonly targetId: string;
  readonly holder: string;
  /** Consecutive visits that delivered nothing. */
  readonly failures: number;
}

// Long enough that a receiver that is down over a weekend gets everything on Monday.
const pauses = [
  seconds(10),
  seconds(30),
  minutes(2),
  minutes(10),
  minutes(30),
  hours(1),
  hours(3),
  hours(6),
  hours(12),
  hours(24),
  hours(24),
];

/**
 * Returns when a failed attempt is followed by the next one; undefined to give up. `attempts` includes the failed one.
 */
export function nextDeliveryAt(attempts: number, now: Instant): Instant | undefined {
  const pause = pauses[attempts - 1];
  return pause === undefined ? undefined : now + pause;
}

/** Returns when a failed attempt was made, from when the next one is due. */
export const lastAttemptAt = (attempts: number, next: Instant): Instant => next - (pauses[attempts - 1] ?? 0);

/**
 * Returns when a target that accepted nothing is visited again; `failures` counts the consecutive visits of that kind
 * before this one. The first repeat is immediate, because the failure may concern one lane and must not delay the
 * others.
 */
export const nextVisitAt = (failures: number, now: Instant): Instant =>
  failures === 0 ? now : now + Math.min(minutes(10), seconds(5) * 2 ** Math.min(failures - 1, 10));

/** Context of a sealed payload: it cannot be opened under any other. */
export const payloadContext = (instanceId: string, targetId: string, lane: string): string =>
  `deliveries/${instanceId}/${targetId}/${lane}/payload`;
