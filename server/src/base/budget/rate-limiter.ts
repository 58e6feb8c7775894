import { type Instant, minutes } from "../clock.ts";

/** Limits the rate of requests per key, in bounded memory. */
export interface RateLimiter {
  /**
   * Returns 0 when the request of `key` may proceed, and counts it (or what it weighs); otherwise the milliseconds
   * until it may try again.
   */
  take(key: string, now: Instant, amount?: number): number;
  /** Returns the same without counting anything. */
  peek(key: string, now: Instant): number;
  /** Gives back to a key what was charged for a request that does not count after all. */
  giveBack(key: string, amount?: number): void;
}

const period = minutes(1);

/**
 * Creates a limiter that allows a number of requests a minute, in a burst or evenly; `burst` is another number for what
 * may come at once. It uses GCRA: stored for a key is the moment at which its whole allowance is restored. Remembers at
 * most `maximumKeys`; the least recently seen keys are forgotten first and start again.
 */
export function createRateLimiter({
  perMinute,
  burst = perMinute,
  maximumKeys = 50_000,
}: {
  readonly perMinute: number;
  readonly burst?: number;
  readonly maximumKeys?: number;
}): RateLimiter {
  const interval = period / perMinute;
  const allowance = burst * interval;
  // Two generations instead of an ordered list: forgetting costs nothing, and a key that is seen again moves to the
  // young one.
  let young = new Map<string, Instant>();
  let old = new Map<string, Instant>();
  const wholeAt = (key: string, now: Instant): Instant =>
    // A clock that was set back must not block a key for longer than its whole allowance takes.
    Math.min(Math.max(young.get(key) ?? old.get(key) ?? now, now), now + allowance);
  // Fractions of a millisecond are rounding errors of the additions.
  const rounded = (wait: number): number => (wait > 0.001 ? Math.ceil(wait) : 0);
  const put = (key: string, whole: Instant): void => {
    if (young.size * 2 >= maximumKeys && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, whole);
  };
  return {
    take: (key, now, amount = 1) => {
      const next = wholeAt(key, now) + interval * amount;
      const wait = rounded(next - now - allowance);
      if (wait === 0) put(key, next);
      return wait;
    },
    peek: (key, now) => rounded(wholeAt(key, now) + interval - now - allowance),
    giveBack: (key, amount = 1) => {
      const whole = young.get(key) ?? old.get(key);
      if (whole !== undefined) put(key, whole - interval * amount);
    },
  };
}
