import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";

/** A public key with which an application signs its assertions, as lists show it. */
export interface ApplicationKey {
  readonly keyId: string;
  readonly applicationId: string;
  readonly projectId: string;
  readonly organizationId: string;
  /** That of the application, which its keys are part of. */
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** 9999-12-31T23:59:59Z: the end of what is given without an end. */
export const endOfTime = 253_402_300_799_000;

/** End of a key: the wanted instant, which must lie ahead, or the end of time. */
export function parseKeyExpiry(expiresAt: Instant | undefined, now: Instant): Instant {
  if (expiresAt === undefined) return endOfTime;
  if (expiresAt <= now) {
    throw new Fault("invalid_argument", "application.key_expiry_past", { field: "expirationDate" });
  }
  return Math.min(expiresAt, endOfTime);
}
