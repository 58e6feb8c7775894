/** Thrown when an export cannot be made, read or loaded; the message is a sentence for the operator. */
export class TransferError extends Error {
  override readonly name = "TransferError";
  /** What to do, in the imperative. */
  readonly fix: string | undefined;

  constructor(message: string, { fix, cause }: { readonly fix?: string; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.fix = fix;
  }
}
