import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";

/** A public key with which an application signs its assertions, as lists show it. */
export interface ApplicationKey {
  readonly keyId: string;
  readonly applicationId: string;
  readonly projectId: string;
  readonly organizationId: string;
  /** The sequence of the application, of which its keys are part. */
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** 9999-12-31T23:59:59Z: the expiry of keys that never expire. */
const endOfTime = 253_402_300_799_000;

/** Returns the expiry of a key: the requested instant, which must be in the future, or the end of time. */
export function parseKeyExpiry(expiresAt: Instant | undefined, now: Instant): Instant {
  if (expiresAt === undefined) return endOfTime;
  if (expiresAt <= now) {
    throw new Fault("invalid_argument", "application.key_expiry_past", { field: "expirationDate" });
  }
  return Math.min(expiresAt, endOfTime);
}
