import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration, Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Instant } from "../../base/clock.ts";

/** Converts an instant to a message. */
export function toTimestamp(instant: Instant): MessageInitShape<typeof TimestampSchema> {
  const seconds = Math.floor(instant / 1000);
  return { seconds: BigInt(seconds), nanos: (instant - seconds * 1000) * 1_000_000 };
}

// The last instant that a Date can hold (ECMA-262, time values). A binary message may contain any.
const furthest = 8_640_000_000_000_000;

/**
 * Converts a message to an instant: fractions of a millisecond are dropped, and values beyond all dates become the last
 * one.
 */
export function fromTimestamp({ seconds, nanos }: Timestamp): Instant {
  const instant = Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
  return Math.max(-furthest, Math.min(furthest, instant));
}

/** Converts a duration of whole seconds to a message. */
export const toDuration = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });

/**
 * Returns the milliseconds of a duration: fractions of one are dropped, and what is longer than the time of all dates
 * becomes as long as that.
 */
export function durationInMilliseconds({ seconds, nanos }: Pick<Duration, "seconds" | "nanos">): number {
  const milliseconds = Number(seconds) * 1000 + Math.trunc(nanos / 1_000_000);
  return Math.max(-furthest, Math.min(furthest, milliseconds));
}

/** Returns the whole seconds of a duration. */
export const fromDuration = ({ seconds }: Pick<Duration, "seconds">): number => Number(seconds);
