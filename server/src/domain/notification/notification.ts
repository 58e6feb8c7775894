/** What a message is about; names a message text. */
export type NotificationKind =
  | "email_verification"
  | "phone_verification"
  | "password_reset"
  | "invitation"
  | "otp_email"
  | "otp_sms"
  | "passkey_registration"
  | "password_changed";

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
  readonly expiresAt: number | null;
  /** Opened with `openNotification`. */
  readonly sealedValues: string;
}

/** Where the vault believes the values to be: in another row they cannot be read. */
export const vaultContext = (instanceId: string, notificationId: string): string =>
  `notifications/${instanceId}/${notificationId}/sealed_values`;
