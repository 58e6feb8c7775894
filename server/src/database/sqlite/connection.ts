import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { Sql } from "../sql.ts";
import type { Outcome } from "../unit-of-work.ts";
import { toDatabaseError } from "./errors.ts";

interface Prepared {
  readonly statement: StatementSync;
  /** Names of the columns that it answers; none when it answers no rows. */
  readonly columns: readonly string[];
  readonly isWrite: boolean;
}

const mostPrepared = 500;
const write = /^\s*(?:with\b[\s\S]*\)\s*)?(?:insert|update|delete|replace)\b/i;

/** One connection to the database file, with the functions and settings that make SQLite answer as PostgreSQL does. */
export class Connection {
  readonly database: DatabaseSync;
  // In the order of use, so that the first is the one that was not used for longest.
  readonly #prepared = new Map<string, Prepared>();

  constructor(file: string, options: { readonly readOnly: boolean }) {
    this.database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: 1000,
      enableForeignKeyConstraints: true,
    });
    // LIKE minds case, as on PostgreSQL. Pages of the file are read where the system keeps them, without a copy.
    this.database.exec(
      "pragma case_sensitive_like = on; pragma mmap_size = 268435456; pragma cache_size = -32000; pragma temp_store = memory",
    );
    const deterministic = { deterministic: true };
    this.database.function("lower", deterministic, (value) =>
      typeof value === "string" ? value.toLowerCase() : value,
    );
  }

  /** Runs a statement. Throws `UniqueViolation`, `DatabaseUnavailable`, or the engine's error for a mistake of the program. */
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

  /** Runs a statement and tells how many rows it changed. Throws like `execute`. */
  write(statement: Sql): number {
    return this.execute(statement).changed;
  }

  /** The first row of a statement that writes nothing, or undefined. */
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
    this.database.close();
  }

  #prepare(text: string): Prepared {
    let prepared = this.#prepared.get(text);
    if (prepared === undefined) {
      const statement = this.database.prepare(text);
      statement.setReturnArrays(true);
      prepared = { statement, columns: statement.columns().map(({ name }) => name), isWrite: write.test(text) };
      this.#prepared.set(text, prepared);
      if (this.#prepared.size > mostPrepared) this.#forgetOldest();
    }
    return prepared;
  }

  #forgetOldest(): void {
    for (const text of this.#prepared.keys()) {
      this.#prepared.delete(text);
      return;
    }
  }
}

// Faster than the objects that node:sqlite makes, and with the prototype that objects of the program have.
function toRow(columns: readonly string[], values: readonly SQLOutputValue[]): Record<string, SQLOutputValue> {
  const row: Record<string, SQLOutputValue> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index] as SQLOutputValue;
  return row;
}
