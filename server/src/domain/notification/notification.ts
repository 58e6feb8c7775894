import { days, hours, type Instant, minutes, seconds } from "../../base/clock.ts";

/** What a message is about; names a message text. */
export type NotificationKind =
  | "email_verification"
  | "phone_verification"
  | "password_reset"
  | "invitation"
  | "initialization"
  | "otp_email"
  | "otp_sms"
  | "passkey_registration"
  | "password_changed"
  | "domain_claimed"
  | "sign_up"
  | "account_known";

export type NotificationChannel = "email" | "sms";
export type NotificationState = "queued" | "sent" | "failed" | "superseded";

/** Values that the text of a message may use. */
export interface NotificationValues {
  readonly code?: string;
  /** The other part of a code that has two. */
  readonly codeId?: string;
  /** Template of the link, when the caller gave one; otherwise the link goes to the hosted pages. */
  readonly urlTemplate?: string;
  readonly applicationName?: string;
  /** Domain that was claimed, and the login name that holds from then on. */
  readonly domain?: string;
  readonly loginName?: string;
}

export interface Notification {
  readonly notificationId: string;
  readonly kind: NotificationKind;
  readonly channel: NotificationChannel;
  readonly userId: string;
  readonly organizationId: string;
  readonly recipient: string;
  readonly language: string;
  readonly state: NotificationState;
  readonly attempts: number;
  readonly createdAt: number;
  /** A code is of no use later, so neither is its message. */
  readonly expiresAt: number | null;
  /** Opened with `openNotification`. */
  readonly sealedValues: string;
}

/** Where the vault believes the values to be: in another row they cannot be read. */
export const vaultContext = (instanceId: string, notificationId: string): string =>
  `notifications/${instanceId}/${notificationId}/sealed_values`;

/** One row of the outbox, claimed for one attempt. */
export interface ClaimedNotification extends Notification {
  /** The attempt that was claimed: 1 for the first. */
  readonly attempts: number;
}

/** The messages of an instance that go the same way. */
export interface NotificationQueue {
  readonly instanceId: string;
  readonly channel: NotificationChannel;
}

/** How long a message without a code is worth sending. */
export const defaultLifetime = days(3);

/**
 * How long an attempt may take. A node that dies in it has lost it then: another sends the message, unless it was handed over already.
 */
export const claimLifetime = minutes(2);

const pauses = [
  seconds(30),
  minutes(2),
  minutes(8),
  minutes(20),
  hours(1),
  hours(3),
  hours(6),
  hours(12),
  hours(24),
] as const;

/** When an attempt that failed is followed by the next one; undefined when there is none, or it would come too late. */
export function nextAttemptAt(
  { attempts, expiresAt }: Pick<ClaimedNotification, "attempts" | "expiresAt">,
  now: Instant,
): Instant | undefined {
  const pause = pauses[attempts - 1];
  if (pause === undefined || (expiresAt !== null && now + pause >= expiresAt)) return undefined;
  return now + pause;
}
