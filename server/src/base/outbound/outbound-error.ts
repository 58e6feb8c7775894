/** Why a request to another server failed: all that is visible outside the log. */
export type OutboundFailure =
  /** The text is not a valid target: scheme, user information, odd spelling. */
  | "target_refused"
  /** Its addresses are not public, and the operator did not allow them. */
  | "address_refused"
  | "name_not_found"
  | "connection_failed"
  | "tls_failed"
  | "timed_out"
  | "redirected"
  | "too_large"
  /** The response is compressed, although we asked for none. */
  | "encoded"
  /** Too many names are waiting for resolution. */
  | "overloaded"
  /** The caller stopped waiting. */
  | "aborted";

/**
 * Thrown for a request to another server without an acceptable response. Neither message nor cause contains anything
 * that the other side sent.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly failure: OutboundFailure;
  readonly #isTold: boolean;

  /** `isTold`: the other side was reached, or the rules alone refused it, so that the failure describes no network. */
  constructor(failure: OutboundFailure, options: { readonly cause?: unknown; readonly isTold?: boolean } = {}) {
    super(`outbound request: ${failure}`, { cause: options.cause });
    this.failure = failure;
    this.#isTold = options.isTold ?? false;
  }

  /**
   * What may be told to those who configure servers, by responses, events and lists. Whether a port is closed or
   * silent, and whether a name exists, is not told apart: that would describe networks to which they have no access.
   */
  get shownFailure(): OutboundFailure | "unreachable" {
    // Without the reason, a certificate could not be mended.
    const isCertificate = this.failure === "tls_failed" && /CERT|SIGN|ISSUER/.test(String(this.cause));
    return this.#isTold || isCertificate || !vague.has(this.failure) ? this.failure : "unreachable";
  }
}

const vague: ReadonlySet<OutboundFailure> = new Set([
  "address_refused",
  "name_not_found",
  "connection_failed",
  "tls_failed",
  "timed_out",
  "overloaded",
]);
