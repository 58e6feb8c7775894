/** Why a request to another server failed; all that anybody but the log learns. */
export type OutboundFailure =
  /** The text is no target: scheme, user information, odd spellings. */
  | "target_refused"
  /** Its addresses are not of the public internet, and no operator opened them. */
  | "address_refused"
  | "name_not_found"
  | "connection_failed"
  | "tls_failed"
  | "timed_out"
  | "redirected"
  | "too_large"
  /** The answer is compressed, though we asked for it plain. */
  | "encoded"
  /** Too many names wait to be resolved. */
  | "overloaded"
  /** Whoever asked does not wait any longer. */
  | "aborted";

/** A request to another server that got no answer we take. Neither message nor cause holds anything that the other side sent. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, options?: { readonly cause?: unknown }) {
    super(`outbound request: ${failure}`, options);
    this.failure = failure;
  }
}
