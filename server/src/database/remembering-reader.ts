import type { Reader } from "./database.ts";
import type { Sql } from "./sql.ts";

/**
 * Reads each statement once, however many ask for the same: for steps that judge many, of whom each rule reads what it
 * needs. What was read is not read again, so a reader is for a time in which nothing changes.
 */
export class RememberingReader implements Reader {
  readonly engine: Reader["engine"];
  readonly isStrict: boolean;
  readonly #reader: Reader;
  readonly #known = new Map<string, Promise<unknown[]>>();

  constructor(reader: Reader) {
    this.engine = reader.engine;
    this.isStrict = reader.isStrict === true;
    this.#reader = reader;
  }

  all<Row>(statement: Sql): Promise<Row[]> {
    const key = JSON.stringify([statement.shape.sqlite, statement.values]);
    let rows = this.#known.get(key);
    if (rows === undefined) {
      rows = this.#reader.all(statement);
      this.#known.set(key, rows);
    }
    return rows as Promise<Row[]>;
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0];
  }
}
