import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { Sql, SqlValue } from "../sql.ts";
import type { Outcome } from "../unit-of-work.ts";
import { toDatabaseError } from "./errors.ts";

interface Prepared {
  readonly statement: StatementSync;
  /** Names of the result columns; empty for statements without result rows. */
  readonly columns: readonly string[];
  readonly isWrite: boolean;
}

// A prepared statement takes about 30 times the bytes of its text, and lists with conditions make any number of texts.
const mostPrepared = 500;
const mostCharacters = 1_000_000;
const longestKept = 50_000;
const write = /^\s*(?:with\b[\s\S]*\)\s*)?(?:insert|update|delete|replace)\b/i;

/** A connection to the database file, with functions and settings that make SQLite behave like PostgreSQL. */
export class Connection {
  readonly database: DatabaseSync;
  // In the order of use, so that the first is the least recently used.
  readonly #prepared = new Map<string, Prepared>();
  #characters = 0;

  constructor(file: string, options: { readonly readOnly: boolean }) {
    this.database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: 1000,
      enableForeignKeyConstraints: true,
    });
    // LIKE is case-sensitive, as on PostgreSQL. Pages are read from the system's cache without a copy.
    this.database.exec(
      "pragma case_sensitive_like = on; pragma mmap_size = 268435456; pragma cache_size = -32000; pragma temp_store = memory",
    );
    const deterministic = { deterministic: true };
    this.database.function("lower", deterministic, (value) =>
      typeof value === "string" ? value.toLowerCase() : value,
    );
  }

  /**
   * Runs a statement. Throws `UniqueViolation`, `DatabaseUnavailable`, or the engine's error for a bug of the program.
   */
  execute(statement: Sql): Outcome {
    try {
      const { statement: prepared, columns, isWrite } = this.#prepare(statement.shape.sqlite);
      const values = statement.values as SQLInputValue[];
      if (columns.length === 0) return { rows: [], changed: Number(prepared.run(...values).changes) };
      const rows = (prepared.all(...values) as unknown as SQLOutputValue[][]).map((row) => toRow(columns, row));
      return { rows, changed: isWrite ? rows.length : 0 };
    } catch (error) {
      throw toDatabaseError(this.database, error);
    }
  }

  /** Runs a statement and returns how many rows it changed. Throws like `execute`. */
  write(statement: Sql): number {
    return this.execute(statement).changed;
  }

  /** Runs a statement that reads, given as its text and values. Throws like `execute`. */
  query(text: string, values: readonly SqlValue[]): unknown[] {
    try {
      const { statement, columns } = this.#prepare(text);
      const rows = statement.all(...(values as SQLInputValue[])) as unknown as SQLOutputValue[][];
      return rows.map((row) => toRow(columns, row));
    } catch (error) {
      throw toDatabaseError(this.database, error);
    }
  }

  /** Returns the first row of a read-only statement, or undefined. */
  first(statement: Sql): unknown {
    try {
      const { statement: prepared, columns } = this.#prepare(statement.shape.sqlite);
      const row = prepared.get(...(statement.values as SQLInputValue[])) as unknown as SQLOutputValue[] | undefined;
      return row && toRow(columns, row);
    } catch (error) {
      throw toDatabaseError(this.database, error);
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#characters = 0;
    this.database.close();
  }

  #prepare(text: string): Prepared {
    let prepared = this.#prepared.get(text);
    if (prepared === undefined) {
      const statement = this.database.prepare(text);
      statement.setReturnArrays(true);
      prepared = { statement, columns: statement.columns().map(({ name }) => name), isWrite: write.test(text) };
      if (text.length > longestKept) return prepared;
      this.#prepared.set(text, prepared);
      this.#characters += text.length;
      while (this.#prepared.size > mostPrepared || this.#characters > mostCharacters) this.#forgetOldest();
    }
    return prepared;
  }

  #forgetOldest(): void {
    for (const text of this.#prepared.keys()) {
      this.#prepared.delete(text);
      this.#characters -= text.length;
      return;
    }
  }
}

// Faster than the objects of node:sqlite, and with the ordinary object prototype.
function toRow(columns: readonly string[], values: readonly SQLOutputValue[]): Record<string, SQLOutputValue> {
  const row: Record<string, SQLOutputValue> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index] as SQLOutputValue;
  return row;
}
