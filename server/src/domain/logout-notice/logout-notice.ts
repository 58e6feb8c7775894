import { type Instant, minutes, seconds } from "../../base/clock.ts";

/** A client to be notified of the end of a session. */
export interface LogoutNotice {
  readonly instanceId: string;
  readonly sessionId: string;
  readonly clientId: string;
  readonly userId: string;
  /** How a SAML service provider knows the user, as it was noted; null for other clients. */
  readonly nameId: string | null;
  /** Organization of the user, otherwise the instance. */
  readonly ownerId: string;
  /** The attempt that was claimed: 1 for the first. */
  readonly attempt: number;
  /** When the session ended. */
  readonly createdAt: Instant;
}

/** Who pays for notices: an organization, for its own applications and for those of strangers there separately. */
export interface NoticePayer {
  readonly instanceId: string;
  /** Owner of the application; empty when it is gone. */
  readonly organizationId: string;
  /** Whether a stranger chose where the notice is sent. */
  readonly isOfStranger: boolean;
}

/** A notice with who pays for it. */
export interface DueNotice extends LogoutNotice, NoticePayer {}

/** Pauses after each failed attempt; after the last attempt the notice is given up. Five attempts in five minutes. */
const pauses = [seconds(10), seconds(30), seconds(80), minutes(3)] as const;

/** Returns when a failed attempt is followed by the next one; undefined when there is none. */
export function nextAttemptAt(attempt: number, now: Instant): Instant | undefined {
  const pause = pauses[attempt - 1];
  return pause === undefined ? undefined : now + pause;
}

/** Returns when a failed attempt was made, from when the next one is due. */
export const lastAttemptAt = (attempts: number, next: Instant): Instant => next - (pauses[attempts - 1] ?? 0);

/** How long an attempt may take; after that another node may claim it. */
export const claimLifetime = minutes(1);

/** The event aggregate of a notice. It has a single event: how the notice ended. */
export function noticeAggregate({ sessionId, clientId, createdAt, ownerId }: LogoutNotice) {
  // A session that expired and was renewed can end a second time.
  return { aggregateType: "logout_notice", aggregateId: `${sessionId}/${clientId}/${createdAt}`, ownerId } as const;
}
