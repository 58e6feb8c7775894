import { sql, type Tx } from "../../database/index.ts";

/**
 * Lets one node at a time decide whether the database is empty; the others wait until that one has committed. On SQLite there is one
 * writer anyway.
 */
export async function lockInstances(tx: Tx): Promise<void> {
  if (tx.engine === "postgres") await tx.run(sql`lock table instances in share row exclusive mode`);
}
