import { createHmac, type KeyObject } from "node:crypto";
import type { Instant } from "./clock.ts";
import { equalInConstantTime } from "./secret.ts";

/** Nonces that are not stored: each contains the time of its creation, under a key that all nodes share. */
export interface RotatingNonces {
  /** Returns the current nonce for the place; it changes after half of its lifetime. */
  current(place: string, now: Instant): string;
  /** Returns when a nonce of this place expires; undefined for one that is foreign, of another place, or expired. */
  validUntil(nonce: string, place: string, now: Instant): Instant | undefined;
}

const macLength = 22;

/**
 * Creates nonces that are valid for between half of `lifetime` (milliseconds) and all of it. The first key signs, every
 * key verifies.
 */
export function createRotatingNonces(options: {
  readonly keys: readonly [KeyObject, ...KeyObject[]];
  readonly lifetime: number;
}): RotatingNonces {
  const { keys } = options;
  const period = options.lifetime / 2;
  const periodOf = (now: Instant): number => Math.floor(now / period);
  return {
    current: (place, now) => write(keys[0], place, periodOf(now)),
    validUntil: (nonce, place, now) => {
      const present = periodOf(now);
      for (const made of [present, present - 1]) {
        // Tries all keys and both periods.
        if (keys.some((key) => equalInConstantTime(nonce, write(key, place, made)))) return (made + 2) * period;
      }
      return undefined;
    },
  };
}

function write(key: KeyObject, place: string, period: number): string {
  return createHmac("sha256", key).update(`${period}\n${place}`).digest("base64url").slice(0, macLength);
}
