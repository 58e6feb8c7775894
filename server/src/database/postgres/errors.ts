import { DatabaseUnavailable, UniqueViolation } from "../database.ts";

// SQLSTATE (PostgreSQL, appendix A).
const uniqueViolation = "23505";
const again = new Set(["40001", "40P01"]);
const unavailable = new Set([
  "25006",
  "53100",
  "53200",
  "53300",
  "55P03",
  "57014",
  "57P01",
  "57P02",
  "57P03",
  "57P04",
  "57P05",
  "25P03",
]);
const cachedPlanChanged = "0A000";
const lockNotAvailable = "55P03";
const queryCanceled = "57014";

interface ServerError extends Error {
  readonly code: string;
  readonly table?: string;
  readonly constraint?: string;
  readonly detail?: string;
  readonly severity?: string;
}

/**
 * Whether the server refused the transaction only because of concurrent ones: the whole transaction may be repeated.
 */
export function isWorthRepeating(error: unknown): boolean {
  const reason = error instanceof DatabaseUnavailable ? error.cause : error;
  return isServerError(reason) && again.has(reason.code);
}

/**
 * Whether the server refused a statement, or it could not even be written, which means that its transaction is not
 * committed. When the connection ends, even on an order of an administrator, it may be.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  const reason = error instanceof DatabaseUnavailable || error instanceof UniqueViolation ? error.cause : error;
  return isServerError(reason) && !/^(?:08|57P)/.test(reason.code);
}

/** Whether a statement waited too long for the lock of another transaction. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && isServerError(error.cause) && error.cause.code === lockNotAvailable;
}

/** Whether the server ended a statement that took longer than it may. */
export const isStatementTimeout = (error: unknown): boolean => isServerError(error) && error.code === queryCanceled;

/**
 * Converts an error of a statement to the interface's errors. An error that is not the server's answer is a lost
 * connection or a time-out; a fatal answer ends the connection.
 */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || error instanceof UniqueViolation) return error;
  if (!(error instanceof Error)) return error;
  if (!isServerError(error)) {
    if (error instanceof TypeError || error instanceof RangeError) return error;
    return new DatabaseUnavailable(
      `the database does not answer: ${error.message || ("code" in error ? String(error.code) : error.name)}`,
      {
        cause: error,
      },
    );
  }
  if (error.code === uniqueViolation) {
    // "Key (instance_id, email_key)=(…) already exists.", in the language of the server.
    const columns = /\(([^=]*)\)=\(/.exec(error.detail ?? "")?.[1]?.split(", ");
    return new UniqueViolation(error.table ?? "", columns ?? [error.constraint ?? ""], error);
  }
  if (isUnavailable(error)) return new DatabaseUnavailable(`the database: ${error.message}`, { cause: error });
  return error;
}

function isUnavailable(error: ServerError): boolean {
  const { code } = error;
  return unavailable.has(code) || code.startsWith("08") || again.has(code) || isCachedPlanChanged(error);
}

/**
 * Whether a migration of a newer node changed a table under a prepared statement. From now on the statement fails on
 * this connection, and a new connection prepares it again.
 */
export function isCachedPlanChanged(error: unknown): boolean {
  const reason = error instanceof DatabaseUnavailable ? error.cause : error;
  return isServerError(reason) && reason.code === cachedPlanChanged && reason.message.includes("cached plan");
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && "code" in error && "severity" in error && typeof error.code === "string";
}
