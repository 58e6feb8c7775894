/** Why a mail was not taken; all that anybody learns, but for the server's numbers. */
export type SmtpFailure =
  | "address_refused"
  | "name_not_found"
  | "connection_failed"
  | "timed_out"
  /** No TLS came about, or the certificate is not to be trusted. */
  | "tls_failed"
  /** TLS is demanded, and the server offers none. */
  | "starttls_unsupported"
  /** Credentials are not sent over the internet without TLS. */
  | "authentication_unencrypted"
  /** The server knows no way to authenticate that we know. */
  | "authentication_unsupported"
  /** The server wants a login, or TLS, before it takes mail. */
  | "authentication_required"
  | "authentication_failed"
  | "sender_refused"
  | "recipient_refused"
  | "message_refused"
  /** The server said something that is not SMTP, or closed the connection. */
  | "protocol_error"
  /** Whoever asked does not wait any longer. */
  | "aborted";

/** Numbers of the server's answer, and words of ours. Nothing that a server can choose freely. */
export interface SmtpReason {
  /** SMTP status, `550`. */
  readonly status?: number | undefined;
  /** Enhanced status code (RFC 3463), `5.1.1`. */
  readonly enhancedStatus?: string | undefined;
  /** Code of Node or OpenSSL: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly code?: string | undefined;
  /** Whether the server had begun to get the mail and never said if it took it. */
  readonly mayHaveArrived?: boolean | undefined;
}

/** A mail that was not taken. Neither message nor cause holds a secret, or anything that the other side wrote but its numbers. */
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
   * Whether nobody should try again: the server refused for good (5xx, RFC 5321 §4.2.1) what nobody will change, or the mail may have arrived, and
   * would arrive twice.
   */
  get isFinal(): boolean {
    const { status = 0, mayHaveArrived = false } = this.reason;
    if (mayHaveArrived) return true;
    return (this.failure === "recipient_refused" || this.failure === "message_refused") && status >= 500;
  }
}

/** The numbers for people: `550 5.1.1`, `ECONNREFUSED`; empty when there are none. */
export function describeReason({ status, enhancedStatus, code }: SmtpReason): string {
  return [status, enhancedStatus, code].filter((part) => part !== undefined).join(" ");
}
