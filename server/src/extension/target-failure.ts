/**
 * Thrown for a call that failed. Contains a word of ours and nothing that the other side sent, except for a refusal,
 * which the target asked to be passed on.
 */
export class TargetFailure extends Error {
  override readonly name = "TargetFailure";
  /** The failure in a word, for the log. */
  readonly failure: string;
  /** The refusal that the target wants the caller to receive. */
  readonly refusal: Refusal | undefined;

  constructor(failure: string, options: { readonly refusal?: Refusal; readonly cause?: unknown } = {}) {
    super(`call of a target: ${failure}`, { cause: options.cause });
    this.failure = failure;
    this.refusal = options.refusal;
  }
}

/** A refusal by a target: an HTTP status from 400 to 499, and a sentence. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}
