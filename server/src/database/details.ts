import type { Instant } from "../base/clock.ts";

/** The details of every record (`details` on the wire). */
export interface Details {
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  /** Organization or instance that owns the record (`resourceOwner` on the wire). */
  readonly ownerId: string;
}
