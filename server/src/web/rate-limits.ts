import { networkOf } from "../base/budget/network-of.ts";
import { createRateLimiter } from "../base/budget/rate-limiter.ts";
import { createSourceLimiter } from "../base/budget/source-limiter.ts";
import type { Instant } from "../base/clock.ts";

/** Groups of requests with a limit of their own. */
const rateLimitNames = ["authorization", "token", "introspection", "login", "signUp", "registration", "keys"] as const;
export type RateLimitName = (typeof rateLimitNames)[number];

/** Requests a minute, per client and per source, and four times as many per block of IPv6; 0 for no limit. */
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
  const make = <Limiter>(create: (rate: { readonly perMinute: number }) => Limiter): Map<RateLimitName, Limiter> =>
    new Map(rateLimitNames.filter((name) => rates[name] > 0).map((name) => [name, create({ perMinute: rates[name] })]));
  const sources = make(createSourceLimiter);
  const clients = make(createRateLimiter);
  return {
    ofSource: ({ name, instanceId, now }, address) =>
      toSeconds(sources.get(name)?.take(instanceId, networkOf(address), now)),
    ofClient: ({ name, instanceId, now }, clientId) =>
      toSeconds(clients.get(name)?.take(`${instanceId}\n${clientId}`, now)),
  };
}

const toSeconds = (wait = 0): number => Math.ceil(wait / 1000);
