import type { Tx } from "./database.ts";
import { type Sql, text } from "./sql.ts";

/**
 * The end of a `select` whose rows must stay as they are until the unit of work ends: `share` lets others hold them in the same
 * way, `alone` does not. SQLite has one writer, so there everything read in a change is held already.
 */
export function rowLock(tx: Tx, hold: "share" | "alone"): Sql {
  if (tx.engine === "sqlite") return text("");
  return hold === "share" ? text("for share") : text("for update");
}
