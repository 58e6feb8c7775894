import type { Call } from "../call/index.ts";
import type { Sql } from "./sql.ts";

/** Runs statements. Column names are given with `as "camelCase"`, so rows come as the caller's type. */
export interface Reader {
  readonly engine: "sqlite" | "postgres";
  all<Row>(statement: Sql): Promise<Row[]>;
  /** The first row, or undefined. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
}

/** What happened to one resource, written in the transaction that made it happen. */
export interface NewEvent {
  /** `<aggregate>[.<thing>].<past verb>`; listed in `event/names.ts`. */
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  /** Organization or instance that owns the resource (`resourceOwner` on the wire). */
  readonly ownerId: string;
  /** The resource's sequence after the change, as the statement that changed the row returned it. */
  readonly sequence: number;
  /** What the record is now. Never a secret. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/**
 * An open unit of work of one instance. Everything in it happens, or nothing. After a statement failed, the unit is lost on
 * both engines, also when the work caught the error: later statements are refused and so is the whole.
 */
export interface Tx extends Reader {
  readonly call: Call;
  readonly instanceId: string;
  readonly now: number;
  /** Runs a statement and returns how many rows it changed. */
  run(statement: Sql): Promise<number>;
  /**
   * Writes rows, and nobody waits to hear how many. On PostgreSQL the statement travels with the next one, or with the commit, which saves a round
   * trip; so the unit of work, not this call, fails when it is refused (`UniqueViolation`). Later statements see what it wrote.
   */
  write(statement: Sql): void;
  /** Adds an event to this unit of work. */
  record(event: NewEvent): void;
}

/** What is told of a committed event: enough to find what it made stale. */
export type CommittedEvent = { readonly instanceId: string } & Pick<
  NewEvent,
  "type" | "aggregateType" | "aggregateId" | "ownerId"
>;

/** Told of commits. */
export interface CommitListener {
  /**
   * An event was committed: on this node before the writer is answered, on other nodes within a second (only types that
   * `announces` names).
   */
  committed(event: CommittedEvent): void;
  /** Events of other nodes may have been missed (the connection that hears them was lost): everything kept may be stale. */
  missed(): void;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** Reads what is committed and durable; never sees an open unit of work and never writes. */
  readonly read: Reader;
  /**
   * Changes rows and records what happened, in one transaction. Resolves when both are durable. A change that wrote rows but
   * recorded no event is refused; one that wrote nothing and recorded nothing is fine (nothing happened).
   * Work waits for nothing but the statements of its own transaction: no mail, no hashing of passwords, no signing. It may
   * run again from the start (PostgreSQL, deadlock), so it has no effects but its statements and its result.
   * Rejects with what the work threw, `UniqueViolation`, or `DatabaseUnavailable`; after the latter it may have happened or not.
   */
  change<Result>(call: Call, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Like `change` for technical writes that are not history (last used, expiry); may record nothing. */
  touch<Result>(call: Call, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Returns the function that ends the subscription. */
  onCommitted(listener: CommitListener): () => void;
  /**
   * Whether notice of other nodes' commits arrives at this moment. While it does not, caches must not be used.
   * Always true on SQLite, where there is one process.
   */
  readonly hearsOtherNodes: boolean;
  /** Resolves when the engine answers; rejects with the reason. */
  ping(): Promise<void>;
  /** Ends what runs and lets go of the engine. */
  close(): Promise<void>;
}

/** Two rows wanted the same place: a unique constraint refused the statement. */
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

/** The engine does not answer, refused a connection, or lost one before it was known what became of a commit; the caller may try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/** Reports what is wrong but does not stop the work: to the log, or to a test that fails of it. */
export type Warn = (message: string, details?: Readonly<Record<string, unknown>>) => void;
