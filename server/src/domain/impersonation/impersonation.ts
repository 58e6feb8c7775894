import { type Instant, minutes } from "../../base/clock.ts";

/** An administrator who may sign in to an application as a user, for a while. */
export interface Impersonation {
  readonly impersonationId: string;
  /** The user, and their organization. */
  readonly userId: string;
  readonly organizationId: string;
  /** The administrator, and their organization. */
  readonly actorId: string;
  readonly actorOrganizationId: string;
  /** The session of the administrator: no other browser can use it. */
  readonly sessionId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly reason: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** When it was ended before it expired. */
  readonly endedAt: Instant | undefined;
}

const longest = 60;
const usual = 15;

/** Returns how long an impersonation lasts, in milliseconds; 0 stands for the usual time. */
export const durationOf = (wanted: number): number => minutes(wanted === 0 ? usual : Math.min(wanted, longest));
