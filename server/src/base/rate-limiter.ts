import { type Instant, minutes } from "./clock.ts";

/** Limits the rate of requests per key, in bounded memory. */
export interface RateLimiter {
  /**
   * Returns 0 when the request of `key` may proceed, and counts it; otherwise the milliseconds until it may try again.
   */
  take(key: string, now: Instant): number;
}

const period = minutes(1);

/**
 * Creates a limiter that allows so many requests a minute, in a burst or evenly. It uses GCRA: stored for a key is the
 * moment at which its whole allowance is restored. Remembers at most `maximumKeys`; the least recently seen keys are
 * forgotten first and start anew.
 */
export function createRateLimiter({
  perMinute,
  maximumKeys = 50_000,
}: {
  readonly perMinute: number;
  readonly maximumKeys?: number;
}): RateLimiter {
  const interval = period / perMinute;
  // Two generations instead of an ordered list: forgetting costs nothing, and a key that is seen again moves to the
  // young one.
  let young = new Map<string, Instant>();
  let old = new Map<string, Instant>();
  return {
    take: (key, now) => {
      // A clock that was set back must not block a key for longer than a minute.
      const whole = Math.min(Math.max(young.get(key) ?? old.get(key) ?? now, now), now + period);
      const next = whole + interval;
      const wait = next - now - period;
      // Fractions of a millisecond are rounding errors of the additions.
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
