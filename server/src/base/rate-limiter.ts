import { type Instant, minutes } from "./clock.ts";

/** Counts how often somebody comes, in bounded memory. */
export interface RateLimiter {
  /** Milliseconds until `key` may come again; 0 when it may go on, and then this time counts. */
  take(key: string, now: Instant): number;
}

const period = minutes(1);

/**
 * So many times a minute, in a burst or evenly (GCRA: what is stored of a key is the moment at which it will have its whole allowance again).
 * Remembers at most `maximumKeys`: who was not seen for longest is forgotten first, and begins anew.
 */
export function createRateLimiter({
  perMinute,
  maximumKeys = 50_000,
}: {
  readonly perMinute: number;
  readonly maximumKeys?: number;
}): RateLimiter {
  const interval = period / perMinute;
  // Two generations instead of an order: forgetting costs nothing, and whoever comes again moves to the young one.
  let young = new Map<string, Instant>();
  let old = new Map<string, Instant>();
  return {
    take: (key, now) => {
      // A clock that was set back must not lock anybody out for longer than a minute.
      const whole = Math.min(Math.max(young.get(key) ?? old.get(key) ?? now, now), now + period);
      const next = whole + interval;
      const wait = next - now - period;
      // Fractions of a millisecond are what adding fractions leaves behind.
      if (wait > 0.001) return Math.ceil(wait);
      if (young.size * 2 >= maximumKeys && !young.has(key)) {
        old = young;
        young = new Map();
      }
      young.set(key, next);
      return 0;
    },
  };
}
