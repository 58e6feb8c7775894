import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration, Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Instant } from "../base/clock.ts";

/** An instant as a message. */
export function toTimestamp(instant: Instant): MessageInitShape<typeof TimestampSchema> {
  const seconds = Math.floor(instant / 1000);
  return { seconds: BigInt(seconds), nanos: (instant - seconds * 1000) * 1_000_000 };
}

// The last instant that a Date can hold (ECMA-262, time values). A binary message may name any.
const furthest = 8_640_000_000_000_000;

/** The instant of a message; what is finer than a millisecond is dropped, and what lies beyond all dates is the last of them. */
export function fromTimestamp({ seconds, nanos }: Timestamp): Instant {
  const instant = Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
  return Math.max(-furthest, Math.min(furthest, instant));
}

/** A duration of whole seconds as a message. */
export const toDuration = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });

/** The whole seconds of a duration. */
export const fromDuration = ({ seconds }: Pick<Duration, "seconds">): number => Number(seconds);
