import type { Instant } from "../clock.ts";
import type { Secret } from "../secret.ts";
import type { MailHost } from "./mail-host.ts";

/** One mail to one recipient. */
export interface Mail {
  readonly sender: { readonly name: string; readonly address: string };
  /** Empty when replies go to the sender. */
  readonly replyTo: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** `local@domain`; the same for each attempt, so that duplicates of a mail can be recognized. */
  readonly messageId: string;
  readonly sentAt: Instant;
}

export interface SmtpServer extends MailHost {
  /** Nothing is sent without TLS: from the first byte, or after STARTTLS. */
  readonly requiresTls: boolean;
  readonly credentials?: SmtpCredentials | undefined;
}

export type SmtpCredentials =
  | { readonly kind: "password"; readonly user: string; readonly password: Secret }
  | { readonly kind: "xoauth2"; readonly user: string; readonly accessToken: Secret };
