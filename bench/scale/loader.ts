import { availableParallelism } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Sql, SqlValue } from "../../server/src/database/index.ts";
import { Connection } from "../../server/src/database/sqlite/connection.ts";
import { databaseFileName } from "../../server/src/database/sqlite/sqlite-database.ts";

/**
 * Fills a database in exclusive use as large databases are filled: with much memory, and without waiting for the disk
 * before the end. Settings made for that end with `close`.
 */
export interface Loader {
  readonly engine: "sqlite" | "postgres";
  /** Runs a statement. PostgreSQL runs as many at once as there are processors, the embedded database one by one. */
  run(statement: Sql): Promise<void>;
  /** Runs a statement that the database itself returned, such as the definition of an index. */
  define(statement: string): Promise<void>;
  all<Row>(statement: Sql): Promise<Row[]>;
  /** Resolves when everything is on the disk. No statement runs afterwards. */
  sync(): Promise<void>;
  /**
   * Closes, after what a server does by itself in quiet hours: vacuum and statistics on PostgreSQL, nothing on SQLite.
   */
  close(): Promise<void>;
}

export const openLoader = (directory: string, url: string | undefined): Loader =>
  url === undefined ? new SqliteLoader(join(directory, databaseFileName)) : new PostgresLoader(url);

class SqliteLoader implements Loader {
  readonly engine = "sqlite";
  readonly #connection: Connection;

  constructor(file: string) {
    this.#connection = new Connection(file, { readOnly: false });
    this.#connection.database.exec(
      "pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma cache_size = -1000000; pragma threads = 2",
    );
    this.#setWords(["hashsize", 128 * 1024 * 1024], ["automerge", 0]);
  }

  async run(statement: Sql): Promise<void> {
    this.#connection.execute(statement);
  }

  async define(statement: string): Promise<void> {
    this.#connection.database.exec(statement);
  }

  async all<Row>(statement: Sql): Promise<Row[]> {
    return this.#connection.execute(statement).rows as Row[];
  }

  async sync(): Promise<void> {
    this.#connection.database.exec("pragma synchronous = full");
    this.#setWords(["hashsize", 1024 * 1024], ["automerge", 4]);
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  /**
   * How many words FTS5 collects before it writes them, and whether it puts together what it wrote; kept in the
   * database.
   */
  #setWords(...settings: readonly [name: string, value: number][]): void {
    const statement = this.#connection.database.prepare("insert into user_words (user_words, rank) values (?, ?)");
    for (const [name, value] of settings) statement.run(name, BigInt(value));
  }
}

class PostgresLoader implements Loader {
  readonly engine = "postgres";
  readonly #pool: pg.Pool;

  constructor(url: string) {
    const settings = { synchronous_commit: "off", maintenance_work_mem: "1GB", work_mem: "256MB", jit: "off" };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    // Each has a processor of its own.
    options.push("-c max_parallel_maintenance_workers=0");
    this.#pool = new pg.Pool({ connectionString: url, max: availableParallelism(), options: options.join(" ") });
  }

  async run(statement: Sql): Promise<void> {
    await this.#pool.query(statement.shape.postgres, statement.values as SqlValue[]);
  }

  async define(statement: string): Promise<void> {
    await this.#pool.query(statement);
  }

  async all<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#pool.query(statement.shape.postgres, statement.values as SqlValue[])).rows as Row[];
  }

  async sync(): Promise<void> {
    await this.#pool.query("checkpoint");
  }

  async close(): Promise<void> {
    await this.#pool.query("vacuum analyze");
    await this.#pool.end();
  }
}
