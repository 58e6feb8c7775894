import { Fault, type FaultCode } from "../base/fault.ts";
import type { Language } from "../base/language.ts";
import { DatabaseUnavailable, UniqueViolation } from "../database/index.ts";

/** A failure as an API response describes it. */
export interface Refusal {
  readonly code: FaultCode;
  /** Stable slug of the cause, never localized. */
  readonly id: string;
  /** The sentence for people, in the caller's language. */
  readonly message: string;
  readonly field: string | undefined;
  /**
   * Consecutive failed attempts, including this one, for a wrong credential: such a refusal has a detail of its own.
   */
  readonly failedAttempts: number | undefined;
  /** How settings were changed after the caller read them: such a refusal has a detail of its own. */
  readonly changed: ChangedSettings | undefined;
  /** Seconds after which it makes sense to try again, when a budget is used up. */
  readonly retryAfter: number | undefined;
}

export interface ChangedSettings {
  readonly fields: readonly string[];
  readonly changedAt: number;
  readonly changedBy: string;
  readonly etag: string;
}

export interface RefusalDeps {
  readonly translate: (language: Language, key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Called for every unexpected failure. */
  readonly report: (error: unknown, requestId: string) => void;
}

/**
 * The only conversion of exceptions to responses. Anything but a `Fault` is a bug: the caller receives a reference to
 * the log entry and no internal details.
 */
export function toRefusal(
  deps: RefusalDeps,
  error: unknown,
  request: { language: Language; requestId: string },
): Refusal {
  const fault = toFault(error);
  if (fault.code === "internal") deps.report(error, request.requestId);
  const values = fault.field === undefined ? fault.values : { field: fault.field, ...fault.values };
  const sentence = deps.translate(request.language, `fault.${fault.id}`, { ...values, reference: request.requestId });
  const { failedAttempts, seconds } = fault.values;
  return {
    code: fault.code,
    id: fault.id,
    message: withField(sentence, fault),
    field: fault.field,
    failedAttempts: typeof failedAttempts === "number" ? failedAttempts : undefined,
    changed: changedSettings(fault),
    retryAfter: fault.code === "resource_exhausted" && typeof seconds === "number" ? seconds : undefined,
  };
}

function changedSettings({ values: { fields, changedAt, changedBy, etag } }: Fault): ChangedSettings | undefined {
  if (typeof changedAt !== "number" || etag === undefined) return undefined;
  return {
    fields: String(fields).split(", ").filter(Boolean),
    changedAt,
    changedBy: String(changedBy ?? ""),
    etag: String(etag),
  };
}

// The details of a response have no field name, and a caller that sent twenty fields must know which one was wrong.
function withField(sentence: string, { code, field }: Fault): string {
  return code !== "invalid_argument" || field === undefined || sentence.includes(field)
    ? sentence
    : `${sentence} (${field})`;
}

/** Returns the fault for any exception; an unexpected one becomes `internal`. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof UniqueViolation) return new Fault("already_exists", "request.already_exists", { cause: error });
  if (error instanceof DatabaseUnavailable) return new Fault("unavailable", "database.unavailable", { cause: error });
  return new Fault("internal", "internal", { cause: error });
}
