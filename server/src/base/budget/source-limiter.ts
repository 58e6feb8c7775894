import type { Instant } from "../clock.ts";
import { blockOf, networksOfBlock } from "./network-of.ts";
import { createRateLimiter } from "./rate-limiter.ts";

/** Limits what sources may do with each subject: a network, and in a larger number all networks of its block. */
export interface SourceLimiter {
  /**
   * Returns 0 when the request may proceed, and counts it (or what it weighs) for both; otherwise the milliseconds
   * until it may try again. What is refused counts for neither.
   */
  take(subject: string, source: string, now: Instant, amount?: number): number;
  /** Returns the same without counting anything. */
  peek(subject: string, source: string, now: Instant): number;
  giveBack(subject: string, source: string, amount?: number): void;
}

/** Creates a limiter of sources. `rate` is that of one network (`networkOf`). */
export function createSourceLimiter({
  perMinute,
  burst = perMinute,
}: {
  readonly perMinute: number;
  readonly burst?: number;
}): SourceLimiter {
  const networks = createRateLimiter({ perMinute, burst });
  const blocks = createRateLimiter({ perMinute: perMinute * networksOfBlock, burst: burst * networksOfBlock });
  return {
    take: (subject, source, now, amount) => {
      const wait = networks.take(keyOf(subject, source), now, amount);
      const block = blockOf(source);
      if (wait > 0 || block === source) return wait;
      const ofBlock = blocks.take(keyOf(subject, block), now, amount);
      if (ofBlock > 0) networks.giveBack(keyOf(subject, source), amount);
      return ofBlock;
    },
    peek: (subject, source, now) => {
      const block = blockOf(source);
      const wait = networks.peek(keyOf(subject, source), now);
      return block === source ? wait : Math.max(wait, blocks.peek(keyOf(subject, block), now));
    },
    giveBack: (subject, source, amount) => {
      const block = blockOf(source);
      networks.giveBack(keyOf(subject, source), amount);
      if (block !== source) blocks.giveBack(keyOf(subject, block), amount);
    },
  };
}

const keyOf = (subject: string, source: string): string => `${subject}\n${source}`;
