import type { Instant } from "../../base/clock.ts";
import { codePause } from "../contact/index.ts";
import type { OneTimeSecret } from "../one-time-secret/index.ts";
import type { SentFactor } from "./add-otp.ts";

/**
 * Returns the key of the code that proves that codes reach the user. A user has one per kind, shared by all browsers.
 */
export const enrolmentOf = (userId: string, kind: SentFactor) =>
  ({ kind: `${kind}_enrolment`, subjectId: userId }) as const;

/** Returns for how many milliseconds a sent code is not replaced by another; 0 when it was consumed. */
export const pauseAfter = ({ consumedAt, createdAt }: OneTimeSecret, now: Instant): number =>
  consumedAt === null ? Math.max(0, createdAt + codePause - now) : 0;
