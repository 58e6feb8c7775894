import type { Instant } from "../../base/clock.ts";
import type { OneTimeSecret } from "../one-time-secret/index.ts";
import { codePause } from "../user/index.ts";
import type { SentFactor } from "./add-otp.ts";

/** Where the code is that shows that codes arrive. A person has one of a kind, in however many browsers he waits for it. */
export const enrolmentOf = (userId: string, kind: SentFactor) =>
  ({ kind: `${kind}_enrolment`, subjectId: userId }) as const;

/** Milliseconds for which a code stays that was sent, instead of being followed by another; 0 when it was used up. */
export const pauseAfter = ({ consumedAt, createdAt }: OneTimeSecret, now: Instant): number =>
  consumedAt === null ? Math.max(0, createdAt + codePause - now) : 0;
