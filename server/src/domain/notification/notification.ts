import { days, hours, type Instant, minutes, seconds } from "../../base/clock.ts";
import { type AccountNotice, accountNotices } from "../message-text/index.ts";

/** The subject matter of a message; names a message text. */
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
  | "account_known"
  | "appointment_offered"
  | AccountNotice;

const notices: ReadonlySet<NotificationKind> = new Set([...accountNotices, "password_changed", "domain_claimed"]);

/** Whether a message announces a change, and holds no code that its recipient waits for. */
export const isNotice = (kind: NotificationKind): boolean => notices.has(kind);

export type NotificationChannel = "email" | "sms";
type NotificationState = "queued" | "sent" | "failed" | "superseded";

/** Values that the text of a message may use. */
export interface NotificationValues {
  readonly code?: string;
  /** The other part of a code with two parts. */
  readonly codeId?: string;
  /** Template of the link, if the caller gave one; otherwise the link leads to the hosted pages. */
  readonly urlTemplate?: string;
  readonly applicationName?: string;
  /** Organization that wants the user as an administrator, without what could be taken for an address. */
  readonly organizationName?: string;
  /** Domain that was claimed, and the login name that replaces the former one. */
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
  /** After that the code is invalid, and its message useless. */
  readonly expiresAt: number | null;
  /** Decrypted with `openNotification`. */
  readonly sealedValues: string;
}

/** Context of the sealed values: they cannot be decrypted in another row. */
export const vaultContext = (instanceId: string, notificationId: string): string =>
  `notifications/${instanceId}/${notificationId}/sealed_values`;

/** A row of the outbox, claimed for one attempt. */
export interface ClaimedNotification extends Notification {
  /** The attempt that was claimed: 1 for the first. */
  readonly attempts: number;
}

/** The messages of an instance that share a channel. */
export interface NotificationQueue {
  readonly instanceId: string;
  readonly channel: NotificationChannel;
}

/** How long a message without a code stays useful. */
export const defaultLifetime = days(3);

/**
 * How long an attempt may take. After that another node may claim the message, unless it was handed over.
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

/** Returns when a failed attempt is followed by the next one; undefined when there is none, or it would be too late. */
export function nextAttemptAt(
  { attempts, expiresAt }: Pick<ClaimedNotification, "attempts" | "expiresAt">,
  now: Instant,
): Instant | undefined {
  const pause = pauses[attempts - 1];
  if (pause === undefined || (expiresAt !== null && now + pause >= expiresAt)) return undefined;
  return now + pause;
}
