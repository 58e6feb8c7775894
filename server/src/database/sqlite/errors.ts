import type { DatabaseSync } from "node:sqlite";
import { DatabaseUnavailable, UniqueViolation } from "../database.ts";

// Extended result codes of SQLite (sqlite3.h).
const uniqueConstraint = 2067;
const primaryKeyConstraint = 1555;
const rowIdConstraint = 2579;
// Primary codes for failures of the disk or the file: busy, locked, out of memory, read-only, I/O, corrupt, full,
// cannot open.
const unavailable = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

/** Converts an error of a statement to the interface's errors. */
export function toDatabaseError(database: DatabaseSync, error: unknown): unknown {
  if (!database.isOpen) return new DatabaseUnavailable("the database is closed", { cause: error });
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  const code = Number(error.errcode);
  if (code === uniqueConstraint || code === primaryKeyConstraint || code === rowIdConstraint) {
    const { table, columns } = findColumns(database, error.message);
    return new UniqueViolation(table, columns, error);
  }
  if (unavailable.has(code & 0xff))
    return new DatabaseUnavailable(`the database file: ${error.message}`, { cause: error });
  return error;
}

// "UNIQUE constraint failed: users.instance_id, users.email", or "… index 'name'" for an index with an expression.
function findColumns(database: DatabaseSync, message: string): { table: string; columns: string[] } {
  const violated = message.slice(message.indexOf(": ") + 2);
  const index = /^index '(.*)'$/.exec(violated)?.[1];
  if (index !== undefined) {
    const row = database
      .prepare("select tbl_name as name from sqlite_schema where type = 'index' and name = ?")
      .get(index);
    return { table: String(row?.["name"] ?? index), columns: [index] };
  }
  const columns = violated.split(", ").map((column) => column.split("."));
  return { table: columns[0]?.[0] ?? "", columns: columns.map((parts) => parts.at(-1) ?? "") };
}
