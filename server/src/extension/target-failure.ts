/**
 * Thrown for a call that failed. Contains a word of ours and nothing that the other side sent, except for a refusal,
 * which the target asked to be passed on.
 */
export class TargetFailure extends Error {
  override readonly name = "TargetFailure";
  /** The failure in a word, for the log and for administrators of the instance. */
  readonly failure: string;
  /** The refusal that the target wants the caller to receive. */
  readonly refusal: Refusal | undefined;

  /** More about the failure, for the log of the operator alone. */
  readonly detail: string | undefined;

  constructor(
    failure: string,
    options: { readonly refusal?: Refusal; readonly cause?: unknown; readonly detail?: string } = {},
  ) {
    super(`call of a target: ${failure}`, { cause: options.cause });
    this.failure = failure;
    this.refusal = options.refusal;
    this.detail = options.detail;
  }
}

/** A refusal by a target: an HTTP status from 400 to 499, and a sentence. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}
