import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration, Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Instant } from "../base/clock.ts";

/** An instant as a message. */
export function toTimestamp(instant: Instant): MessageInitShape<typeof TimestampSchema> {
  const seconds = Math.floor(instant / 1000);
  return { seconds: BigInt(seconds), nanos: (instant - seconds * 1000) * 1_000_000 };
}

/** The instant of a message; what is finer than a millisecond is dropped. */
export function fromTimestamp({ seconds, nanos }: Timestamp): Instant {
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
}

/** A duration of whole seconds as a message. */
export const toDuration = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });

/** The whole seconds of a duration. */
export const fromDuration = ({ seconds }: Pick<Duration, "seconds">): number => Number(seconds);
