import { DatabaseUnavailable, type Reader } from "../database.ts";
import { type Sql, sql } from "../sql.ts";
import type { Connection } from "./connection.ts";

const begin = sql`begin`;
const end = sql`commit`;
const look = sql`select 1 from sqlite_schema limit 1`;

/**
 * Reads what is committed and durable. All reads between two commits share one snapshot. It is taken before a commit at
 * the latest, and dropped when that commit is on the disk. No reader therefore sees data that a power failure could
 * still take back. One snapshot for many reads also makes each twice as fast, because SQLite need not lock the file for
 * each.
 */
export class SnapshotReader implements Reader {
  readonly engine = "sqlite";
  readonly isStrict: boolean;
  readonly #connection: Connection;
  #isOpen = false;
  #isHeld = false;
  #whenRenewed: PromiseWithResolvers<void> | undefined;
  atLength: Reader | undefined;

  constructor(connection: Connection, isStrict = false) {
    this.#connection = connection;
    this.isStrict = isStrict;
  }

  async all<Row>(statement: Sql): Promise<Row[]> {
    if (!this.#isOpen) this.#open();
    return this.#connection.execute(statement).rows as Row[];
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    if (!this.#isOpen) this.#open();
    return this.#connection.first(statement) as Row | undefined;
  }

  /** Until `renew`, reads see the present state of the database. */
  hold(): void {
    if (!this.#isOpen) this.#open();
    // SQLite takes the snapshot at the first statement after `begin`.
    this.#connection.first(look);
    this.#isHeld = true;
  }

  /** From now on, reads see everything committed so far. */
  renew(): void {
    this.#isHeld = false;
    this.#whenRenewed?.resolve();
    this.#whenRenewed = undefined;
    this.letGo();
  }

  /** Resolves when everything that is committed now is on the disk. */
  async settled(): Promise<void> {
    if (!this.#isHeld) return;
    this.#whenRenewed ??= Promise.withResolvers();
    await this.#whenRenewed.promise;
  }

  /** Ends the snapshot, unless it is held: an old snapshot keeps SQLite from restarting its log. */
  letGo(): void {
    if (!this.#isOpen || this.#isHeld) return;
    this.#isOpen = false;
    if (this.#connection.database.isTransaction) this.#connection.execute(end);
  }

  close(): void {
    this.#whenRenewed?.reject(new DatabaseUnavailable("the database is closed"));
    this.#connection.close();
  }

  #open(): void {
    this.#connection.execute(begin);
    this.#isOpen = true;
  }
}
