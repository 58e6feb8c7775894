import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import type { Sql, SqlValue } from "../sql.ts";
import { Connection } from "../sqlite/connection.ts";
import { DirectoryInUse, lockDirectory } from "../sqlite/directory-lock.ts";
import { toDatabaseError } from "../sqlite/errors.ts";
import { migrateSqlite } from "../sqlite/migrate.ts";
import { SnapshotReader } from "../sqlite/snapshot-reader.ts";
import { databaseFileName, makeDirectory } from "../sqlite/sqlite-database.ts";
import { derivedRows } from "./derived-rows.ts";
import type { Loader, LoaderOptions } from "./loader.ts";

/** The file that is being filled. What an interrupted import left there is replaced. */
const unfinishedName = `${databaseFileName}.import`;

/**
 * Fills a file beside the database and puts it in its place at the end, so that a crash leaves the former one. Nothing
 * is rolled back in it, so it needs no log. Indexes, and what triggers write, are made at the end, which is faster.
 */
export async function openSqliteLoader(directory: string, options: LoaderOptions): Promise<Loader> {
  makeDirectory(resolve(directory));
  const unlock = lockDirectory(directory);
  const unfinished = join(directory, unfinishedName);
  let connection: Connection | undefined;
  try {
    await checkFormer(join(directory, databaseFileName), options);
    removeFile(unfinished);
    closeSync(openSync(unfinished, "wx", 0o600));
    connection = new Connection(unfinished, { readOnly: false });
    // Sorts of any size: their memory is limited by the cache.
    connection.database.exec(`pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
      pragma temp_store = file; pragma cache_size = -131072`);
    migrateSqlite(connection, options.migrations, options.clock);
    return new SqliteLoader(directory, connection, unlock);
  } catch (error) {
    connection?.close();
    removeFile(unfinished);
    unlock();
    throw error;
  }
}

/**
 * Brings an existing database up to date and asks whether it may be replaced. Afterwards it has no log, which would be
 * applied to the file that replaces it.
 */
async function checkFormer(file: string, { migrations, clock, check }: LoaderOptions): Promise<void> {
  if (!existsSync(file)) return;
  const connection = new Connection(file, { readOnly: false });
  const read = new SnapshotReader(connection);
  try {
    migrateSqlite(connection, migrations, clock);
    await check(read);
    read.letGo();
    removeLog(connection, file);
  } finally {
    read.letGo();
    connection.close();
  }
}

function removeLog({ database }: Connection, file: string): void {
  let mode: unknown;
  try {
    mode = database.prepare("pragma journal_mode = delete").get()?.["journal_mode"];
  } catch (error) {
    throw toDatabaseError(database, error);
  }
  if (mode !== "delete") throw new DirectoryInUse(`another process reads the database file ${file}`);
}

class SqliteLoader implements Loader {
  readonly engine = "sqlite";
  readonly #directory: string;
  readonly #connection: Connection;
  readonly #unlock: () => void;
  readonly #dropped: readonly SchemaPart[];

  constructor(directory: string, connection: Connection, unlock: () => void) {
    this.#directory = directory;
    this.#connection = connection;
    this.#unlock = unlock;
    connection.database.exec("begin");
    this.#dropped = dropParts(connection);
  }

  async insert(table: Sql, columns: Sql, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const { database } = this.#connection;
    try {
      const parameters = first.map(() => "?").join(", ");
      const statement = database.prepare(
        `insert into ${table.shape.sqlite} (${columns.shape.sqlite}) values (${parameters})`,
      );
      for (const row of rows) statement.run(...(row as SQLInputValue[]));
    } catch (error) {
      throw toDatabaseError(database, error);
    }
  }

  async finish(lastPosition: number): Promise<void> {
    const { database } = this.#connection;
    try {
      for (const { name } of this.#dropped) for (const statement of derivedRows[name] ?? []) database.exec(statement);
      for (const { statement } of this.#dropped) database.exec(statement);
      // There is no row before the first event.
      database.exec("delete from sqlite_sequence where name = 'events'");
      database.prepare("insert into sqlite_sequence (name, seq) values ('events', ?)").run(lastPosition);
      database.exec("commit");
    } catch (error) {
      throw toDatabaseError(database, error);
    }
    this.#connection.close();
    const unfinished = join(this.#directory, unfinishedName);
    sync(unfinished);
    const file = join(this.#directory, databaseFileName);
    // A log of a database that was removed without it would be applied to this one.
    removeLogs(file);
    renameSync(unfinished, file);
    sync(this.#directory);
    this.#unlock();
  }

  async abandon(): Promise<void> {
    const { database } = this.#connection;
    if (database.isOpen) this.#connection.close();
    removeFile(join(this.#directory, unfinishedName));
    this.#unlock();
  }
}

/** An index or a trigger. */
interface SchemaPart {
  readonly type: string;
  readonly name: string;
  /** What creates it. */
  readonly statement: string;
}

/** Removes every index that is not one of a key, and every trigger; returns them in the order to create them. */
function dropParts({ database }: Connection): SchemaPart[] {
  const parts = database
    .prepare(
      `select type, name, sql as "statement" from sqlite_schema where type in ('index', 'trigger') and sql is not null
        order by type, name`,
    )
    .all() as unknown as SchemaPart[];
  for (const { type, name, statement } of parts) {
    const writes = type === "trigger" && /\bafter insert\b/i.test(statement);
    if (writes && derivedRows[name] === undefined) throw new Error(`what the trigger ${name} writes is not known`);
    database.exec(`drop ${type} ${name}`);
  }
  return parts;
}

function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

function removeFile(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

function removeLogs(path: string): void {
  for (const ending of ["-journal", "-wal", "-shm"]) rmSync(path + ending, { force: true });
}
