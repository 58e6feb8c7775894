import type { Tx } from "./database.ts";
import { type Sql, sql, text } from "./sql.ts";

export interface Batch {
  readonly table: Sql;
  /** Columns of the primary key: `instance_id, token_id`. */
  readonly key: Sql;
  /** Which rows may go. It should have an index that finds the next ones. */
  readonly where: Sql;
  /** How many rows go at most. */
  readonly limit: number;
}

/**
 * Deletes some rows and tells how many. On PostgreSQL it passes over rows that somebody else holds at this moment, so that several nodes
 * share the work and nobody waits; they go with a later batch.
 */
export function deleteBatch(tx: Tx, { table, key, where, limit }: Batch): Promise<number> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  // Materialized, because a plan that asks the limited part again for each row deletes more rows than it should.
  return tx.run(sql`with batch as materialized (select ${key} from ${table} where ${where} limit ${limit} ${hold})
    delete from ${table} where (${key}) in (select ${key} from batch)`);
}
