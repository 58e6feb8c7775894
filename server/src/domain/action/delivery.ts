import { hours, type Instant, minutes, seconds } from "../../base/clock.ts";

/** Something that is delivered to a target without being waited for. */
export interface Delivery {
  readonly targetId: string;
  /** Place in the queue of the target. */
  readonly number: number;
  readonly subject: string;
  /** The event that it is about, for events. */
  readonly event?: { readonly aggregateType: string; readonly aggregateId: string; readonly sequence: number };
  /** What is sent, sealed, for everything else. */
  readonly payload?: string;
  /** Attempts so far. */
  readonly attempts: number;
}

export type DeliveryState = "pending" | "delivered" | "failed";

/** A delivery as the log shows it. */
export interface ListedDelivery extends Pick<Delivery, "number" | "subject" | "event" | "attempts"> {
  readonly state: DeliveryState;
  /** Why the last attempt failed, in a word. */
  readonly failure?: string;
  readonly createdAt: Instant;
  /** Only while it is pending. */
  readonly nextAttemptAt?: Instant;
  readonly settledAt?: Instant;
}

/** Who holds the queue of a target for a while. */
export interface HeldQueue {
  readonly instanceId: string;
  readonly targetId: string;
  readonly holder: string;
  /** Visits in a row that could deliver nothing. */
  readonly failures: number;
}

// A receiver that is down over a weekend gets everything on Monday.
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

/** When an attempt that failed is followed by the next one; undefined when it is given up. `attempts` counts this one. */
export function nextDeliveryAt(attempts: number, now: Instant): Instant | undefined {
  const pause = pauses[attempts - 1];
  return pause === undefined ? undefined : now + pause;
}

/**
 * When a target is visited again that took nothing, after so many such visits in a row before. The first time at once: what could not be
 * delivered may be of one lane, and the others must not wait for it.
 */
export const nextVisitAt = (failures: number, now: Instant): Instant =>
  failures === 0 ? now : now + Math.min(minutes(10), seconds(5) * 2 ** Math.min(failures - 1, 10));

/** Where a sealed payload stands; it can be opened nowhere else. */
export const payloadContext = (instanceId: string, targetId: string, lane: string): string =>
  `deliveries/${instanceId}/${targetId}/${lane}/payload`;
