import { Fault, type FaultCode } from "../base/fault.ts";
import type { Language } from "../base/language.ts";
import { DatabaseUnavailable, UniqueViolation } from "../database/index.ts";

/** A failure in the words of an API answer. */
export interface Refusal {
  readonly code: FaultCode;
  /** Stable slug of the cause, never localised. */
  readonly id: string;
  /** The sentence for people, in the caller's language. */
  readonly message: string;
  readonly field: string | undefined;
  /** Wrong attempts in a row, this one included, when a credential was wrong: such a refusal has a detail of its own. */
  readonly failedAttempts: number | undefined;
}

export interface RefusalDeps {
  readonly translate: (language: Language, key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Told of every failure that nobody expected. */
  readonly report: (error: unknown, requestId: string) => void;
}

/**
 * The one conversion of whatever was thrown into an answer. What is not a `Fault` is our mistake: the caller gets a reference to the log
 * entry and nothing of the inside.
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
  const { failedAttempts } = fault.values;
  return {
    ...{ code: fault.code, id: fault.id, message: withField(sentence, fault), field: fault.field },
    failedAttempts: typeof failedAttempts === "number" ? failedAttempts : undefined,
  };
}

// The details of an answer have no place for the field, and whoever sent twenty fields must know which one was wrong.
function withField(sentence: string, { code, field }: Fault): string {
  return code !== "invalid_argument" || field === undefined || sentence.includes(field)
    ? sentence
    : `${sentence} (${field})`;
}

/** Whatever was thrown as a fault: one that is `internal` for what nobody expected. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof UniqueViolation) return new Fault("already_exists", "request.already_exists", { cause: error });
  if (error instanceof DatabaseUnavailable) return new Fault("unavailable", "database.unavailable", { cause: error });
  return new Fault("internal", "internal", { cause: error });
}
