import type { Instant } from "../../base/clock.ts";

/** A message as a provider gets it: words and address filled in. */
export interface OutgoingMessage {
  /** The same for each attempt. */
  readonly messageId: string;
  readonly recipient: string;
  /** Empty for a text message. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly sentAt: Instant;
  /** What it is about, for HTTP providers, which may have words of their own. */
  readonly about: MessageContext;
}

export interface MessageContext {
  /** `email_verification` … */
  readonly kind: string;
  /** The event that caused it. */
  readonly eventType: string;
  readonly language: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly code: string | undefined;
}
