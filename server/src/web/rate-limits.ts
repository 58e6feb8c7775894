import type { Instant } from "../base/clock.ts";
import { networkOf } from "../base/network-of.ts";
import { createRateLimiter, type RateLimiter } from "../base/rate-limiter.ts";

/** Groups of requests with a limit of their own. */
const rateLimitNames = ["authorization", "token", "introspection", "login", "signUp", "registration", "keys"] as const;
export type RateLimitName = (typeof rateLimitNames)[number];

/** Requests a minute, per client and per source; 0 for no limit. */
export type RatesPerMinute = Readonly<Record<RateLimitName, number>>;

/** The subject of a count: never shared across instances. */
interface Counted {
  readonly name: RateLimitName;
  readonly instanceId: string;
  readonly now: Instant;
}

/**
 * The rate limits of clients and sources, counted in this process. Each method returns the whole seconds to wait, or 0
 * to proceed.
 */
export interface RateLimits {
  ofSource(counted: Counted, address: string): number;
  /** Only for authenticated clients: otherwise a stranger could use up another client's limit. */
  ofClient(counted: Counted, clientId: string): number;
}

/** Creates the counters of a process. */
export function createRateLimits(rates: RatesPerMinute): RateLimits {
  const make = (): Map<RateLimitName, RateLimiter> =>
    new Map(
      rateLimitNames
        .filter((name) => rates[name] > 0)
        .map((name) => [name, createRateLimiter({ perMinute: rates[name] })]),
    );
  const sources = make();
  const clients = make();
  return {
    ofSource: (counted, address) => take(sources, counted, networkOf(address)),
    ofClient: (counted, clientId) => take(clients, counted, clientId),
  };
}

function take(
  limiters: ReadonlyMap<RateLimitName, RateLimiter>,
  { name, instanceId, now }: Counted,
  who: string,
): number {
  const limiter = limiters.get(name);
  return limiter === undefined ? 0 : Math.ceil(limiter.take(`${instanceId}\n${who}`, now) / 1000);
}
