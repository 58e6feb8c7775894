import type { Instant } from "../clock.ts";

/** A delivery of any queue that failed at least once, as lists of all queues show it. */
export interface FailedDelivery {
  readonly instanceId: string;
  /** What it belongs to within its queue: a target, a channel, a client, a unit. */
  readonly group: string;
  /** Names it within the group: a decimal number. */
  readonly id: string;
  readonly attempts: number;
  /** What went wrong the last time, in a word. */
  readonly failure: string;
  readonly failedAt: Instant;
}

/** Names a delivery of an instance. */
export type FailedDeliveryKey = Pick<FailedDelivery, "group" | "id">;

/** The failure of a delivery that an administrator gave up; it is no longer listed. */
export const givenUp = "given_up";
