import type { Tx } from "./database.ts";
import { join, type Sql, sql, text } from "./sql.ts";

/** Whether a unit waits for what another one has, or goes without it (`holdOrWaitBefore`). */
export type Waiting = "wait" | "skip";

/**
 * Returns the end of a `select` whose rows must stay unchanged until the unit of work ends: `share` allows others the
 * same lock, `alone` does not. SQLite has a single writer, so rows read in a change are always locked there.
 */
export function rowLock(tx: Tx, hold: "share" | "alone", waiting: Waiting = "wait"): Sql {
  if (tx.engine === "sqlite") return text("");
  const lock = hold === "share" ? text("for share") : text("for update");
  return waiting === "wait" ? lock : sql`${lock} skip locked`;
}

/** What units of work queue for, where those that share it could otherwise keep others waiting without end. */
type Queue =
  | "additions to groups"
  | "application"
  | "consent"
  | "domain"
  | "grants between organizations"
  | "group"
  | "impersonations of session"
  | "names of organizations"
  | "organization"
  | "project"
  | "user";

/**
 * Returns the last condition of a statement that locks or changes one row which others share. Locks of rows are not
 * fair: further units share a row while another one waits to have it alone, without end where they overlap. Turns are
 * taken in order, so those that come later wait behind it. A unit keeps its turn until it ends.
 *
 * Every statement that locks such a row has this condition, also `update` and `delete` (`alone`). Otherwise two units
 * could wait for each other, one for the row and one for the turn. It is evaluated when the row was found, and the row
 * is locked afterwards, in its newest version. A unit that does not wait finds no row where others are before it.
 */
export function inTurn(tx: Tx, hold: "share" | "alone", queue: Queue, id: string, waiting: Waiting = "wait"): Sql {
  if (tx.engine === "sqlite") return text("");
  const key = keyOf(tx, queue, id);
  if (waiting === "skip") {
    return hold === "share"
      ? sql`and pg_try_advisory_xact_lock_shared(hashtextextended(${key}, 0))`
      : sql`and pg_try_advisory_xact_lock(hashtextextended(${key}, 0))`;
  }
  return hold === "share"
    ? sql`and pg_advisory_xact_lock_shared(hashtextextended(${key}, 0)) is not null`
    : sql`and pg_advisory_xact_lock(hashtextextended(${key}, 0)) is not null`;
}

/** Waits for the turn before the next statement, which sees what those before it committed. For what has no row. */
export function takeTurn(tx: Tx, hold: "share" | "alone", queue: Queue, id: string): void {
  takeTurns(tx, hold, queue, [id]);
}

/** The same for several, in their order. */
export function takeTurns(tx: Tx, hold: "share" | "alone", queue: Queue, ids: readonly string[]): void {
  if (tx.engine === "sqlite" || ids.length === 0) return;
  const turns = ids.map((id) => {
    const key = keyOf(tx, queue, id);
    return hold === "share"
      ? sql`pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`
      : sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  });
  tx.precede(sql`select ${join(turns, ", ")}`);
}

// Two keys with the same hash only wait for each other.
const keyOf = ({ instanceId }: Tx, queue: Queue, id: string): string => `${queue}/${instanceId}/${id}`;
