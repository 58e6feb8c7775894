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

  constructor(failure: OutboundFailure, options?: { readonly cause?: unknown }) {
    super(`outbound request: ${failure}`, options);
    this.failure = failure;
  }
}
