import { days, hours, type Instant } from "../../base/clock.ts";

/** What is counted. The names are stored. */
export const statisticNames = [
  "sign_in.password",
  "sign_in.passkey",
  "sign_in.identity_provider",
  "sign_in_failure.password",
  "sign_in_failure.passkey",
  "sign_in_failure.identity_provider",
  "sign_in_failure.second_factor",
  "active_people",
  "user.registered",
  "user.created",
  "user.deleted",
  "token.issued",
  "token.refreshed",
  "token.assertion",
  "message.email_sent",
  "message.email_failed",
  "message.sms_sent",
  "message.sms_failed",
] as const;

export type StatisticName = (typeof statisticNames)[number];

/** The lengths of the buckets in which is counted, all in UTC. */
export const granularities = ["hour", "day", "month"] as const;

export type Granularity = (typeof granularities)[number];

/** How long the buckets of a length are kept, in milliseconds. */
export const keptFor: Readonly<Record<Granularity, number>> = { hour: days(14), day: days(400), month: days(1100) };

/** Returns the start of the bucket that contains an instant. */
export function bucketStart(granularity: Granularity, instant: Instant): Instant {
  if (granularity === "month") {
    const date = new Date(instant);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  const length = granularity === "hour" ? hours(1) : days(1);
  return Math.floor(instant / length) * length;
}

/** Returns when the bucket after this one begins. */
export function nextBucket(granularity: Granularity, start: Instant): Instant {
  // Every month has ended 31 days after its beginning, and no later one has.
  const length = granularity === "hour" ? hours(1) : days(granularity === "day" ? 1 : 31);
  return bucketStart(granularity, start + length);
}

/** One row of counts. */
export interface Statistic {
  /** Empty for the whole instance. */
  readonly organizationId: string;
  readonly granularity: Granularity;
  readonly bucketStart: Instant;
  readonly name: StatisticName;
  readonly amount: number;
}
