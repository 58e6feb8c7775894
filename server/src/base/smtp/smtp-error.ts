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

/** A failure as it is reported to those who configure servers. */
export type ShownSmtpFailure = Exclude<SmtpFailure, "connection_failed" | "name_not_found"> | "unreachable";

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
  /** Whether the other side is known to be a mail server, because it had greeted as one. */
  readonly isReached: boolean;

  constructor(failure: SmtpFailure, reason: SmtpReason = {}, isReached = false) {
    super(`smtp: ${[failure, describeReason(reason)].filter((part) => part !== "").join(" ")}`);
    this.failure = failure;
    this.reason = reason;
    this.isReached = isReached;
  }

  /**
   * What may be told to those who configure servers. Whether a port is closed, silent or of something else is not told
   * apart, nor whether a name exists: that would describe networks to which they have no access.
   */
  get shownFailure(): ShownSmtpFailure {
    const { failure, reason, isReached } = this;
    if (failure === "name_not_found") return "unreachable";
    if (failure === "connection_failed") return isReached ? "protocol_error" : "unreachable";
    // A certificate is shown by what speaks TLS at a port of mail; without the reason it could not be mended.
    const isCertificate = failure === "tls_failed" && /CERT|SELF_SIGNED|ISSUER/.test(reason.code ?? "");
    return isReached || isCertificate || !vague.has(failure) ? failure : "unreachable";
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

// Without a greeting these say only that nothing of use answered.
const vague: ReadonlySet<SmtpFailure> = new Set(["timed_out", "protocol_error", "tls_failed", "aborted"]);

/** Formats the codes for people: `550 5.1.1`, `ECONNREFUSED`; empty without codes. */
export function describeReason({ status, enhancedStatus, code }: SmtpReason): string {
  return [status, enhancedStatus, code].filter((part) => part !== undefined).join(" ");
}
