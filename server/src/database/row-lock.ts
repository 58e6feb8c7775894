import type { Tx } from "./database.ts";
import { type Sql, text } from "./sql.ts";

/**
 * Returns the end of a `select` whose rows must stay unchanged until the unit of work ends: `share` allows others the
 * same lock, `alone` does not. SQLite has a single writer, so rows read in a change are always locked there.
 */
export function rowLock(tx: Tx, hold: "share" | "alone"): Sql {
  if (tx.engine === "sqlite") return text("");
  return hold === "share" ? text("for share") : text("for update");
}
