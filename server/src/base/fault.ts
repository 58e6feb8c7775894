/** The reasons why an operation can refuse: the canonical status codes, by name. */
export type FaultCode =
  | "invalid_argument"
  | "unauthenticated"
  | "permission_denied"
  | "not_found"
  | "already_exists"
  | "failed_precondition"
  | "resource_exhausted"
  | "aborted"
  | "unimplemented"
  | "unavailable"
  | "deadline_exceeded"
  | "internal";

export interface FaultOptions {
  /** Path of the offending input field, as the caller spelled it in the contract (`human.email.email`). */
  readonly field?: string;
  /** Values for the placeholders of the message. Never a secret. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** The underlying error, for the log only. */
  readonly cause?: unknown;
}

/**
 * An expected failure. `code` is for programs, and `id` names the cause with one stable English slug
 * (`user.not_found`). The sentence for people is the text `fault.<id>` of the catalogues, in the reader's language.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly id: string;
  readonly field: string | undefined;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(code: FaultCode, id: string, options: FaultOptions = {}) {
    super(options.field === undefined ? id : `${id} (${options.field})`, { cause: options.cause });
    this.name = "Fault";
    this.code = code;
    this.id = id;
    this.field = options.field;
    this.values = options.values ?? {};
  }
}
