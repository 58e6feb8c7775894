import { createHmac, type KeyObject } from "node:crypto";
import type { Instant } from "./clock.ts";
import { equalInConstantTime } from "./secret.ts";

/** Nonces that are not stored: each contains the time of its creation, under a key that all nodes share. */
export interface RotatingNonces {
  /** Returns the current nonce of the instance; it changes after half of its lifetime. */
  current(instanceId: string, now: Instant): string;
  /** Returns when a nonce of the instance expires; undefined for any other nonce, and for an expired one. */
  validUntil(nonce: string, instanceId: string, now: Instant): Instant | undefined;
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
    current: (instanceId, now) => write(keys[0], instanceId, periodOf(now)),
    validUntil: (nonce, instanceId, now) => {
      const present = periodOf(now);
      for (const made of [present, present - 1]) {
        // Tries all keys and both periods.
        if (keys.some((key) => equalInConstantTime(nonce, write(key, instanceId, made)))) return (made + 2) * period;
      }
      return undefined;
    },
  };
}

function write(key: KeyObject, instanceId: string, period: number): string {
  return createHmac("sha256", key).update(`${period}\n${instanceId}`).digest("base64url").slice(0, macLength);
}
