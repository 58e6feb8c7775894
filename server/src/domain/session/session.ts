import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { principalId } from "../../base/id.ts";
import type { Preparation } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";

/** A signed-in browser or device. */
export interface Session {
  readonly sessionId: string;
  readonly userId: string | undefined;
  readonly organizationId: string | undefined;
  /** The creator: a user with `session.write`, or the hosted login. */
  readonly creatorId: string;
  readonly factors: Factors;
  readonly userAgent: UserAgent;
  /** Base64 values by key. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | undefined;
  readonly terminatedAt: Instant | undefined;
  readonly details: Details;
}

/** The user of a session. */
export interface SessionUser {
  readonly userId: string;
  readonly organizationId: string;
}

/** When each factor was last checked with success. */
export interface Factors extends FurtherFactors {
  readonly userCheckedAt?: Instant;
  readonly passwordCheckedAt?: Instant;
}

/** Factors besides name and password, as they are stored together. */
export interface FurtherFactors {
  readonly totpCheckedAt?: Instant;
  readonly otpSmsCheckedAt?: Instant;
  readonly otpEmailCheckedAt?: Instant;
  readonly recoveryCodeCheckedAt?: Instant;
  readonly webAuthNCheckedAt?: Instant;
  /** A sign-in at an identity provider. */
  readonly intentCheckedAt?: Instant;
  /** The attempt in which that was, which names the session there. */
  readonly intentId?: string;
  /** The provider that it was at. Absent for sessions from before it was kept. */
  readonly identityProviderId?: string;
  /** Whether the authenticator verified the user (PIN, fingerprint) instead of only testing presence. */
  readonly isUserVerified?: boolean;
  /**
   * Whether the key that answered is one factor although it verified the user: a message let its reader register it,
   * and the user has a second factor, which the message does not stand in for.
   */
  readonly isOneFactor?: boolean;
  /**
   * Whether a code of the session went to its creator, who delivers it, or by a link to a page of an organization, and
   * not to the user alone. The sign-in is as good, but the code could have been entered without the user.
   */
  readonly isCodeReturned?: boolean;
  /**
   * What others know or control of what the first factors depend on. Absent for sessions from before it was kept; none
   * in an attempt that has nothing of the kind.
   */
  readonly preparedBy?: readonly Preparation[];
}

/** A session of a browser with what its user recognizes it by. */
export interface BrowserAccount {
  readonly session: Session;
  readonly loginName: string;
  readonly displayName: string;
  readonly organizationName: string;
  /** Name of the file of the user's picture. */
  readonly avatarFile: string | null;
}

export interface UserAgent {
  readonly fingerprintId?: string;
  readonly ip?: string;
  readonly description?: string;
  readonly header?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The session of a user that stays when the others end: by its id, or as that of a browser by the hash of its secret.
 */
export interface StayingSession {
  readonly sessionId?: string | undefined;
  readonly browserHash?: string | undefined;
}

/** `creatorId` of sessions that the hosted login created. An index states it as well. */
export const hostedLogin = principalId("login");

/** Returns the factors that are stored together. */
export function furtherFactorsOf(factors: Factors): Omit<FurtherFactors, "preparedBy"> {
  const { userCheckedAt: _user, passwordCheckedAt: _password, ...further } = checksOf(factors);
  return further;
}

/** Returns what was checked, without what it depends on: events have no use for that. */
export function checksOf({ preparedBy: _, ...checks }: Factors): Omit<Factors, "preparedBy"> {
  return checks;
}

/** Returns the event aggregate of a session. */
export const sessionAggregate = (
  session: { readonly sessionId: string; readonly organizationId: string | undefined },
  instanceId: string,
) =>
  ({
    aggregateType: "session",
    aggregateId: session.sessionId,
    ownerId: session.organizationId ?? instanceId,
  }) as const;

/** Says that a session was ended, also one that would have been ended if it had been there a moment ago. */
export const ended = (): Fault => new Fault("failed_precondition", "session.terminated", { field: "sessionId" });
