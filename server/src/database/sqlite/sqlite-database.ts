import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Call } from "../../call/index.ts";
import { confirmedRun } from "../confirmation.ts";
import type { CommitListener, Database, LongTx, Reader, Warn } from "../database.ts";
import { Listeners } from "../listeners.ts";
import { LongChanges } from "../long-changes.ts";
import { LongReads } from "../long-reads.ts";
import { createLongShares } from "../long-work.ts";
import { runInPortions } from "../portions.ts";
import { sql } from "../sql.ts";
import type { Work } from "../unit-of-work.ts";
import { Checkpointer, type LogLimits } from "./checkpointer.ts";
import { Connection } from "./connection.ts";
import { lockDirectory } from "./directory-lock.ts";
import { dropStatistics } from "./drop-statistics.ts";
import { GroupCommit } from "./group-commit.ts";
import { ListReader } from "./list-reader.ts";
import { SnapshotReader } from "./snapshot-reader.ts";
import { WalFile } from "./wal-file.ts";

/** Name of the database file inside the data directory. */
export const databaseFileName = "doorward.db";

interface Parts {
  readonly unlock: () => void;
  readonly writer: Connection;
  readonly reader: SnapshotReader;
  readonly lists: ListReader;
  readonly wal: WalFile;
  readonly checkpointer: Checkpointer;
  readonly commits: GroupCommit;
  readonly listeners: Listeners;
  readonly longChanges: LongChanges;
}

export interface SqliteOptions {
  /** See `Reader.isStrict`. */
  readonly isStrict?: boolean | undefined;
  readonly warn: Warn;
  /** Runs first, on the writing connection. */
  readonly migrate: (writer: Connection) => void;
  readonly limits?: LogLimits;
  /** How long one statement of a list may take. */
  readonly longestRead?: number | undefined;
}

/** Opens the database of a data directory, and creates it when it is absent. Throws `DirectoryInUse`. */
export function openSqlite(directory: string, options: SqliteOptions): SqliteDatabase {
  makeDirectory(resolve(directory));
  const unlock = lockDirectory(directory);
  const file = join(directory, databaseFileName);
  let writer: Connection | undefined;
  try {
    // Created by ourselves, so that other users of the machine cannot read it; SQLite gives its other files the same
    // mode.
    closeSync(openSync(file, "a", 0o600));
    writer = openWithoutStatistics(file);
    prepareWriter(writer, options.migrate);
    return new SqliteDatabase(assemble(file, { unlock, writer, options }));
  } catch (error) {
    writer?.close();
    unlock();
    throw error;
  }
}

function openWithoutStatistics(file: string): Connection {
  for (;;) {
    const connection = new Connection(file, { readOnly: false });
    try {
      if (!dropStatistics(connection)) return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
    connection.close();
  }
}

function prepareWriter(writer: Connection, migrate: (writer: Connection) => void): void {
  writer.database.exec(
    "pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864",
  );
  // Migrations wait for the disk themselves; afterwards group commit does it in the thread pool.
  writer.database.exec("pragma synchronous = full");
  migrate(writer);
  writer.database.exec("pragma synchronous = normal");
}

function assemble(file: string, base: { unlock: () => void; writer: Connection; options: SqliteOptions }): Parts {
  const { unlock, writer } = base;
  const { warn, limits, isStrict, longestRead } = base.options;
  const reader = new SnapshotReader(new Connection(file, { readOnly: true }), isStrict);
  const lists = new ListReader(file, reader, longestRead);
  const shares = createLongShares();
  reader.atLength = new LongReads({ engine: "sqlite", isStrict, permits: 1, read: lists.read, shares });
  const wal = new WalFile(file);
  const checkpointer = new Checkpointer(file, writer, { warn, onDone: () => reader.letGo(), limits });
  const listeners = new Listeners(warn);
  const committed = listeners.committed.bind(listeners);
  const commits = new GroupCommit({ writer, reader, wal, checkpointer, warn, committed });
  return { unlock, writer, reader, lists, wal, checkpointer, commits, listeners, longChanges: new LongChanges(shares) };
}

/** The embedded engine: one file, one process, one writer. */
export class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly hearsOtherNodes = true;
  readonly #parts: Parts;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get read(): Reader {
    return this.#parts.reader;
  }

  change<Result>(call: Call, work: Work<Result>): Promise<Result> {
    return runInPortions(this.#confirmed(call).run, "change", work);
  }

  changeAtLength<Result>(call: Call, work: (tx: LongTx) => Promise<Result>): Promise<Result> {
    return this.#parts.longChanges.run(this.#confirmed(call), (tx) => work(tx as LongTx));
  }

  touch<Result>(call: Call, work: Work<Result>): Promise<Result> {
    return runInPortions((kind, each) => this.#parts.commits.run(kind, call, each), "touch", work);
  }

  touchAtLength<Result>(call: Call, work: (tx: LongTx) => Promise<Result>): Promise<Result> {
    return this.#parts.longChanges.touch(
      (kind, each) => this.#parts.commits.run(kind, call, each),
      (tx) => work(tx as LongTx),
    );
  }

  #confirmed(call: Call): ReturnType<typeof confirmedRun> {
    return confirmedRun(call, (kind, work, confirmation) => this.#parts.commits.run(kind, call, work, confirmation));
  }

  onCommitted(listener: CommitListener): () => void {
    return this.#parts.listeners.add(listener);
  }

  async ping(): Promise<void> {
    this.#parts.commits.check();
    await this.#parts.reader.maybe(sql`select 1`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { commits, checkpointer, lists, wal, reader, writer, unlock } = this.#parts;
    try {
      await lists.close();
      await commits.close();
      await checkpointer.close();
      wal.close();
    } finally {
      reader.close();
      // The last connection to close copies the log into the database file and removes it.
      writer.close();
      unlock();
    }
  }
}

// A directory entry is on the disk only when its parent was synced. SQLite does that for its files; this does it for
// the directory.
export function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const parent = openSync(dirname(directory), "r");
  fsyncSync(parent);
  closeSync(parent);
}
