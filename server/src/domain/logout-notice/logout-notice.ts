import { type Instant, minutes, seconds } from "../../base/clock.ts";

/** One client that has to be told of the end of one session. */
export interface LogoutNotice {
  readonly instanceId: string;
  readonly sessionId: string;
  readonly clientId: string;
  readonly userId: string;
  /** Organization of the user, else the instance. */
  readonly ownerId: string;
  /** The attempt that was claimed: 1 for the first. */
  readonly attempt: number;
  /** When the session ended. */
  readonly createdAt: Instant;
}

/** Pauses after each attempt that failed; after the last attempt it is given up. Five attempts in five minutes. */
const pauses = [seconds(10), seconds(30), seconds(80), minutes(3)] as const;

/** When an attempt that failed is followed by the next one; undefined when there is none any more. */
export function nextAttemptAt(attempt: number, now: Instant): Instant | undefined {
  const pause = pauses[attempt - 1];
  return pause === undefined ? undefined : now + pause;
}

/** How long an attempt may take; a node that died with it has lost it then. */
export const claimLifetime = minutes(1);

/** The event aggregate of a notice. It has one event: how it ended. */
export function noticeAggregate({ sessionId, clientId, createdAt, ownerId }: LogoutNotice) {
  // A session that expired and was renewed ends again.
  return { aggregateType: "logout_notice", aggregateId: `${sessionId}/${clientId}/${createdAt}`, ownerId } as const;
}
