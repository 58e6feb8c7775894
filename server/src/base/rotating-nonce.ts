import { createHmac, type KeyObject } from "node:crypto";
import type { Instant } from "./clock.ts";
import { equalInConstantTime } from "./secret.ts";

/** Nonces that nobody stores: each says when it was made, under a key that all nodes share. */
export interface RotatingNonces {
  /** The nonce of this moment for the place; another one after half of its life. */
  current(place: string, now: Instant): string;
  /** Until when a nonce of this place is good; undefined for one that is not ours, of another place or too old. */
  validUntil(nonce: string, place: string, now: Instant): Instant | undefined;
}

const macLength = 22;

/** Makes nonces that live for between half of `lifetime` (milliseconds) and all of it. The first key signs, every key verifies. */
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
        // All keys and both periods are tried, whichever fits.
        if (keys.some((key) => equalInConstantTime(nonce, write(key, place, made)))) return (made + 2) * period;
      }
      return undefined;
    },
  };
}

function write(key: KeyObject, place: string, period: number): string {
  return createHmac("sha256", key).update(`${period}\n${place}`).digest("base64url").slice(0, macLength);
}
