import type { Reader } from "../database.ts";
import type { AppliedMigration } from "../migrations.ts";
import type { Sql, SqlValue } from "../sql.ts";

/** Everything that a database holds at one instant. Later commits are not seen, and nothing is locked. */
export interface Snapshot {
  readonly read: Reader;
  /** The migrations that were applied to it. */
  readonly migrations: readonly AppliedMigration[];
  /** Reads rows in batches, each row with its values in the order of the columns. */
  rows(statement: Sql): AsyncIterable<readonly (readonly SqlValue[])[]>;
  /** Returns the last position of the feed that was ever given. */
  lastPosition(): Promise<number>;
  close(): Promise<void>;
}
