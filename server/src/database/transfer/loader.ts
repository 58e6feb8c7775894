import type { Clock } from "../../base/clock.ts";
import type { Reader } from "../database.ts";
import type { Migration } from "../migrations.ts";
import type { Sql, SqlValue } from "../sql.ts";

/** Fills an empty database as a whole: with everything, or with nothing. */
export interface Loader {
  readonly engine: Reader["engine"];
  /** Inserts rows with their values in the order of the columns. */
  insert(table: Sql, columns: Sql, rows: readonly (readonly SqlValue[])[]): Promise<void>;
  /** Makes everything durable and visible at once. `lastPosition` is the last one that the feed gave. */
  finish(lastPosition: number): Promise<void>;
  /** Leaves the database as it was. */
  abandon(): Promise<void>;
}

/** How a database is opened for filling. */
export interface LoaderOptions {
  readonly clock: Clock;
  readonly migrations: readonly Migration[];
  /** The tables that are filled. */
  readonly tables: readonly string[];
  /** Throws when the database must not be filled; it has the schema of the program. */
  readonly check: (read: Reader) => Promise<void>;
}
