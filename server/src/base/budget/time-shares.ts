import type { Payer } from "./payer.ts";

/** What payers used of a resource of which there is only so much time. */
export interface TimeShares {
  /** Charges milliseconds to a payer, at every level but the widest ones of that number. */
  charge(payer: Payer, milliseconds: number, spared?: number): void;
  /** Whether a payer, or one of the payers that contain it, recently used more than its share. */
  isUsedUp(payer: Payer): boolean;
}

interface Used {
  readonly milliseconds: number;
  readonly at: number;
}

/**
 * Creates shares of time: `most` milliseconds for a payer of each level, which fade within `period` (the last number
 * also holds for deeper levels). A steady use of `most` in each period is just within the share. The clock is one that
 * is never set back.
 */
export function createTimeShares({
  most,
  period,
  clock,
  maximumPayers = 20_000,
}: {
  readonly most: readonly number[];
  readonly period: number;
  readonly clock: () => number;
  readonly maximumPayers?: number;
}): TimeShares {
  // Those that were charged the longest ago come first, and are the first to be forgotten.
  const used = new Map<string, Used>();
  const keysOf = (payer: Payer): string[] => payer.map((_, level) => JSON.stringify(payer.slice(0, level + 1)));
  const left = (key: string, now: number): number => {
    const known = used.get(key);
    return known === undefined ? 0 : known.milliseconds * Math.exp((known.at - now) / period);
  };
  return {
    charge(payer, milliseconds, spared = 0) {
      const now = clock();
      for (const key of keysOf(payer).slice(spared)) {
        const sum = left(key, now) + milliseconds;
        used.delete(key);
        used.set(key, { milliseconds: sum, at: now });
      }
      for (const key of used.keys()) {
        if (used.size <= maximumPayers) break;
        used.delete(key);
      }
    },
    isUsedUp(payer) {
      const now = clock();
      return keysOf(payer).some((key, level) => left(key, now) > (most[level] ?? most.at(-1) ?? 0));
    },
  };
}
