import { sql, type Tx } from "../../database/index.ts";

/**
 * Makes other nodes wait until this one has decided whether the database is empty and has committed. SQLite has one
 * writer anyway.
 */
export async function lockInstances(tx: Tx): Promise<void> {
  if (tx.engine === "postgres") await tx.run(sql`lock table instances in share row exclusive mode`);
}
