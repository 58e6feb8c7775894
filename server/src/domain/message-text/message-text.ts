import type { Details } from "../../database/index.ts";

/** The subject matter of a message. Every kind has its own text. */
export const messageTextKinds = [
  "init",
  "password_reset",
  "verify_email",
  "verify_phone",
  "verify_sms_otp",
  "verify_email_otp",
  "domain_claimed",
  "passkey_registration",
  "password_change",
  "invite_user",
] as const;
export type MessageTextKind = (typeof messageTextKinds)[number];

/**
 * What users are told of their account without having asked, at an address that they had proven before (ASVS 6.3.7).
 */
export const accountNotices = [
  "email_changed",
  "phone_changed",
  "username_changed",
  "factor_added",
  "factor_removed",
  "link_added",
  "link_removed",
  "signed_in_as",
] as const;
export type AccountNotice = (typeof accountNotices)[number];

/** Messages with built-in texts only: the interface has no kind for them. */
export const ownMessageTextKinds = ["account_known", "appointment_offered", ...accountNotices] as const;
export type BuiltInTextKind = MessageTextKind | (typeof ownMessageTextKinds)[number];

/** The parts of a message, as the interface names them. */
export const messageTextParts = [
  "title",
  "preHeader",
  "subject",
  "greeting",
  "text",
  "buttonText",
  "footerText",
] as const;
export type MessageTextPart = (typeof messageTextParts)[number];

/** The text of a message: plain text with placeholders. A part that a message does not have is empty. */
export type MessageText = Readonly<Record<MessageTextPart, string>>;

/** The parts that an organization or the instance sets instead of inheriting them; none of them is empty. */
export type OwnMessageText = Partial<MessageText>;

/** The owner of a text: an organization, or the instance when no organization is named. */
export interface MessageTextScope {
  readonly instanceId: string;
  readonly organizationId?: string | undefined;
}

/** The effective text of an organization or of the instance. */
export interface EffectiveMessageText {
  readonly text: MessageText;
  /** Whether the requested owner sets no text itself. */
  readonly isDefault: boolean;
  /** Details of the nearest text that is set; undefined when all of it is built in. */
  readonly details: Details | undefined;
}
