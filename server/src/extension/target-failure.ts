/**
 * A call that did not do what it was made for. Holds a word of ours and nothing that the other side sent; but for a refusal, which the target
 * asked to be passed on.
 */
export class TargetFailure extends Error {
  override readonly name = "TargetFailure";
  /** What went wrong, in a word: for the log. */
  readonly failure: string;
  /** What the target wants the caller to be told. */
  readonly refusal: Refusal | undefined;

  constructor(failure: string, options: { readonly refusal?: Refusal; readonly cause?: unknown } = {}) {
    super(`call of a target: ${failure}`, { cause: options.cause });
    this.failure = failure;
    this.refusal = options.refusal;
  }
}

/** A refusal in the words of a target: an HTTP status from 400 to 499, and a sentence. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}
