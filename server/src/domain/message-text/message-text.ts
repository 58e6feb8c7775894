import type { Details } from "../../database/index.ts";

/** What a message is about. Every kind has its own words. */
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

/** Messages whose words come with the program alone: the interface has no kind for them. */
export const ownMessageTextKinds = ["account_known"] as const;
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

/** The words of a message: plain text with placeholders. A part that a message does not have is empty. */
export type MessageText = Readonly<Record<MessageTextPart, string>>;

/** What a place says instead of what it would inherit: only the parts that differ, none of them empty. */
export type OwnMessageText = Partial<MessageText>;

/** Whose words: of an organization, or of the instance when no organization is named. */
export interface MessageTextPlace {
  readonly instanceId: string;
  readonly organizationId?: string | undefined;
}

/** The words that hold at a place. */
export interface EffectiveMessageText {
  readonly text: MessageText;
  /** Whether the place that was asked says nothing itself. */
  readonly isDefault: boolean;
  /** Of the words that were set nearest to the place; undefined when all are built in. */
  readonly details: Details | undefined;
}
