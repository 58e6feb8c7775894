import type { Instant } from "../../base/clock.ts";

/** A message as a provider gets it: with text and recipient filled in. */
export interface OutgoingMessage {
  /** Stays the same in each attempt. */
  readonly messageId: string;
  readonly recipient: string;
  /** Empty for a text message. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly sentAt: Instant;
  /** The subject matter, for HTTP providers, which may use texts of their own. */
  readonly about: MessageContext;
}

interface MessageContext {
  /** `email_verification`… */
  readonly kind: string;
  /** The event that caused it. */
  readonly eventType: string;
  readonly language: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly code: string | undefined;
}
