/** Why a mail was not accepted: all that is reported, besides the server's status codes. */
export type SmtpFailure =
  | "address_refused"
  | "name_not_found"
  | "connection_failed"
  | "timed_out"
  /** The TLS handshake failed, or the certificate is not trusted. */
  | "tls_failed"
  /** TLS is required, but the server does not offer it. */
  | "starttls_unsupported"
  /** Credentials are not sent over the internet without TLS. */
  | "authentication_unencrypted"
  /** The server offers no authentication method that we support. */
  | "authentication_unsupported"
  /** The server requires authentication, or TLS, before it accepts mail. */
  | "authentication_required"
  | "authentication_failed"
  | "sender_refused"
  | "recipient_refused"
  | "message_refused"
  /** The server sent something that is not SMTP, or closed the connection. */
  | "protocol_error"
  /** The caller stopped waiting. */
  | "aborted";

/** Status codes of the server's answer, and error codes of our own: nothing that a server can choose freely. */
export interface SmtpReason {
  /** SMTP status, `550`. */
  readonly status?: number | undefined;
  /** Enhanced status code (RFC 3463), `5.1.1`. */
  readonly enhancedStatus?: string | undefined;
  /** Code of Node or OpenSSL: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly code?: string | undefined;
  /** Whether the server had received part of the mail and never said whether it accepted it. */
  readonly mayHaveArrived?: boolean | undefined;
}

/**
 * Thrown for a mail that was not accepted. Neither message nor cause contains a secret, or anything from the other side
 * but its status codes.
 */
export class SmtpError extends Error {
  override readonly name = "SmtpError";
  readonly failure: SmtpFailure;
  readonly reason: SmtpReason;

  constructor(failure: SmtpFailure, reason: SmtpReason = {}) {
    super(`smtp: ${[failure, describeReason(reason)].filter((part) => part !== "").join(" ")}`);
    this.failure = failure;
    this.reason = reason;
  }

  /**
   * Whether another attempt is pointless: the server refused permanently (5xx, RFC 5321 §4.2.1), or the mail may have
   * been delivered already and would be delivered twice.
   */
  get isFinal(): boolean {
    const { status = 0, mayHaveArrived = false } = this.reason;
    if (mayHaveArrived) return true;
    return (this.failure === "recipient_refused" || this.failure === "message_refused") && status >= 500;
  }
}

/** Formats the codes for people: `550 5.1.1`, `ECONNREFUSED`; empty without codes. */
export function describeReason({ status, enhancedStatus, code }: SmtpReason): string {
  return [status, enhancedStatus, code].filter((part) => part !== undefined).join(" ");
}
