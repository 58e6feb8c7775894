import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { textLanguage } from "./catalogue.ts";

const language = textLanguage;
const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const numbers = new Intl.NumberFormat(language);

const units = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Returns the instant in the browser's zone, or undefined when the server sent none. */
export const toDate = (timestamp: Timestamp | undefined): Date | undefined =>
  timestamp && new Date(Number(timestamp.seconds) * 1000 + Math.floor(timestamp.nanos / 1_000_000));

/** Returns date and time in the reader's language and zone. */
export const formatExactly = (date: Date): string => exact.format(date);

/** Returns how long ago an instant is, such as "5 minutes ago". */
export function formatRelatively(date: Date, now = new Date()): string {
  const difference = (date.getTime() - now.getTime()) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(difference) >= length) return relative.format(Math.round(difference / length), unit);
  }
  return relative.format(0, "minute");
}

/** Returns a count in the reader's language. */
export const formatNumber = (value: number | bigint): string => numbers.format(value);

/** Returns the time of day in the reader's language and zone. */
export const formatTime = (date: Date): string => timeOfDay.format(date);

// Counts are those of hours, days and months in UTC.
const formatsOfBuckets = {
  hour: [{ timeStyle: "short" }, { dateStyle: "medium", timeStyle: "short" }],
  day: [{ day: "numeric", month: "short" }, { dateStyle: "medium" }],
  month: [
    { month: "short", year: "numeric" },
    { month: "long", year: "numeric" },
  ],
} as const;

/** Returns the hour, day or month in UTC that begins at an instant, in the reader's language: short and in full. */
export function formatBucket(
  start: number,
  unit: keyof typeof formatsOfBuckets,
): { readonly short: string; readonly full: string } {
  const [short, full] = formatsOfBuckets[unit].map((options) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(start),
  );
  return { short: short ?? "", full: full ?? "" };
}
