import type { Tx } from "./database.ts";
import { type Sql, sql, text } from "./sql.ts";

export interface Batch {
  readonly table: Sql;
  /** Columns of the primary key: `instance_id, token_id`. */
  readonly key: Sql;
  /** Which rows may be deleted. An index should find the next ones. */
  readonly where: Sql;
  /** How many rows are deleted at most. */
  readonly limit: number;
}

/**
 * Deletes a batch of rows and returns their number. On PostgreSQL it skips rows that are locked at this moment, so that
 * several nodes share the work without waiting for each other; a later batch deletes these rows.
 */
export function deleteBatch(tx: Tx, { table, key, where, limit }: Batch): Promise<number> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  // Materialized, because a plan that evaluates the limited part again for each row deletes too many rows.
  return tx.run(sql`with batch as materialized (select ${key} from ${table} where ${where} limit ${limit} ${hold})
    delete from ${table} where (${key}) in (select ${key} from batch)`);
}
