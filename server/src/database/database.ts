import type { Call } from "../call/index.ts";
import type { Sql } from "./sql.ts";

/** Runs statements. Columns are named with `as "camelCase"`, so that rows have the caller's type. */
export interface Reader {
  readonly engine: "sqlite" | "postgres";
  /** Whether what is read as settings is raised to the strict profile; absent where it is as it is stored. */
  readonly isStrict?: boolean | undefined;
  /**
   * Reads what may take long, so that nothing else waits for it: lists of many rows. Absent inside of a unit of work.
   */
  readonly atLength?: Reader | undefined;
  all<Row>(statement: Sql): Promise<Row[]>;
  /** Returns the first row, or undefined. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
}

/** An event of one resource, written in the transaction that caused it. */
export interface NewEvent {
  /** `<aggregate>[.<thing>].<past verb>`; listed in `event/names.ts`. */
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  /** Organization or instance that owns the resource (`resourceOwner` on the wire). */
  readonly ownerId: string;
  /** The resource's sequence after the change, as the statement that changed the row returned it. */
  readonly sequence: number;
  /** The new state of the record. Never contains a secret. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/**
 * An open unit of work of one instance; all of it is committed, or nothing. After a statement failed, the unit is lost
 * on both engines, even when the work caught the error: later statements and the commit are refused.
 */
export interface Tx extends Reader {
  readonly call: Call;
  readonly instanceId: string;
  readonly now: number;
  /**
   * Runs the statement that decides whether the unit of work goes on, as its first one, and returns its row: it changes
   * what its conditions permit, and returns nothing where it changed nothing. On PostgreSQL concurrent units share a
   * transaction then, and what such a unit reads later may be uncommitted work of those others.
   */
  decide<Row>(statement: Sql): Promise<Row | undefined>;
  /** Runs a statement and returns how many rows it changed. */
  run(statement: Sql): Promise<number>;
  /**
   * Writes rows without returning their number. On PostgreSQL the statement is sent with the next one, or with the
   * commit, which saves a round trip. So the unit of work, and not this call, fails when it is refused
   * (`UniqueViolation`). Later statements see what it wrote.
   */
  write(statement: Sql): void;
  /** Sends a statement that changes nothing (it waits for something) with the next one, or with the commit. */
  precede(statement: Sql): void;
  /** Adds an event to this unit of work. */
  record(event: NewEvent): void;
}

/** A unit of work that took its turn (`changeAtLength`): it may read as much as an organization stored. */
export type LongTx = Tx & { readonly tookTurn: true };

/** The announced part of a committed event: enough to find what became stale. */
export type CommittedEvent = { readonly instanceId: string } & Pick<
  NewEvent,
  "type" | "aggregateType" | "aggregateId" | "ownerId"
>;

/** Receives notifications of commits. */
export interface CommitListener {
  /**
   * An event was committed: on this node called before the writer is answered, on other nodes within a second (only for
   * types that `announces` names).
   */
  committed(event: CommittedEvent): void;
  /** Events of other nodes may have been missed (their connection was lost): every cached value may be stale. */
  missed(): void;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** Reads what is committed and durable; never sees an open unit of work and never writes. */
  readonly read: Reader;
  /**
   * Changes rows and records what happened, in one transaction. Resolves when both are durable. A change that wrote
   * rows but recorded no event is refused; one that did neither is fine (nothing happened).
   * The work waits only for the statements of its own transaction: no mail, no hashing of passwords, no signing. It may
   * be repeated from the start (PostgreSQL, deadlock), so its only effects are its statements and its result.
   * Rejects with the work's error, `UniqueViolation`, or `DatabaseUnavailable`; after the latter the outcome is
   * unknown.
   */
  change<Result>(call: Call, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Like `change`, for what has to read more than a few rows before it writes. It takes a turn before it begins: one
   * organization has one at a time, and the time is charged to those who ask, as that of long lists is. Throws the
   * Fault `request.too_many` when too many wait, or for too long.
   */
  changeAtLength<Result>(call: Call, work: (tx: LongTx) => Promise<Result>): Promise<Result>;
  /** Like `change`, for technical writes that are not history (last used, expiry); events are optional. */
  touch<Result>(call: Call, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Like `touch`, in a turn as that of `changeAtLength`. */
  touchAtLength<Result>(call: Call, work: (tx: LongTx) => Promise<Result>): Promise<Result>;
  /** Returns the function that ends the subscription. */
  onCommitted(listener: CommitListener): () => void;
  /**
   * Whether notifications of other nodes' commits are arriving. While they are not, caches must not be used. Always
   * true on SQLite, which has a single process.
   */
  readonly hearsOtherNodes: boolean;
  /** Resolves when the engine answers; rejects with the reason. */
  ping(): Promise<void>;
  /** Ends running work and closes the engine. */
  close(): Promise<void>;
}

/** Thrown when a unique constraint refused the statement. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
  readonly table: string;
  readonly columns: readonly string[];

  constructor(table: string, columns: readonly string[], cause: unknown) {
    super(`${table} already has these values of ${columns.join(", ")}`, { cause });
    this.table = table;
    this.columns = columns;
  }
}

/**
 * Thrown when the engine does not answer, refused a connection, or lost one before the outcome of a commit was known.
 * The caller may try again.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/** Reports a problem that does not stop the work: to the log, or to a test that fails because of it. */
export type Warn = (message: string, details?: Readonly<Record<string, unknown>>) => void;
