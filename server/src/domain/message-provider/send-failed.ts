/**
 * A message that a provider did not take. The error's message contains only our own words, and numbers from the
 * provider's response.
 */
export class SendFailed extends Error {
  override readonly name = "SendFailed";
  /** What went wrong, for programs: `smtp.recipient_refused`, `http.status_500`. */
  readonly failure: string;
  /** Whether this exact message will never be taken, so that it is not attempted again. */
  readonly isFinal: boolean;

  constructor(failure: string, options: { readonly isFinal?: boolean; readonly cause?: unknown } = {}) {
    super(`not sent: ${failure}`, { cause: options.cause });
    this.failure = failure;
    this.isFinal = options.isFinal ?? false;
  }
}
