import { hours, type Instant, minutes, seconds } from "../../base/clock.ts";
import type { QuotaUnit } from "./quota.ts";

/** A call of the address of a notification, claimed for one attempt. */
export interface QuotaCall {
  readonly instanceId: string;
  readonly deliveryId: string;
  readonly quotaId: string;
  readonly unit: QuotaUnit;
  readonly periodStart: Instant;
  readonly threshold: number;
  /** Pieces that were used when the threshold was reached. */
  readonly used: number;
  readonly callUrl: string;
  /** The attempt that was claimed: 1 for the first. */
  readonly attempt: number;
}

// Long enough that a receiver that is down over a night gets it.
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
] as const;

/** Returns when a failed attempt is followed by the next one; undefined when there is none. */
export function nextAttemptAt(attempt: number, now: Instant): Instant | undefined {
  const pause = pauses[attempt - 1];
  return pause === undefined ? undefined : now + pause;
}

/** How long an attempt may take; after that another node may claim it. */
export const claimLifetime = minutes(1);
