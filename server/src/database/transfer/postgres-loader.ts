import type pg from "pg";
import { toDatabaseError } from "../postgres/errors.ts";
import { connectAtLength, migratePostgres } from "../postgres/migrate.ts";
import type { Sql, SqlValue } from "../sql.ts";
import { mostRows } from "./batches.ts";
import type { Loader, LoaderOptions } from "./loader.ts";
import { readerOf } from "./postgres-snapshot.ts";

// The protocol has 65,535 parameters in a statement.
const mostParameters = 32_000;

/**
 * Fills a database in one transaction. A node that starts meanwhile and finds no instance waits for its end before it
 * makes one, and then sees those that were loaded.
 */
export async function openPostgresLoader(
  url: string,
  { clock, migrations, tables, check }: LoaderOptions,
): Promise<Loader> {
  await migratePostgres(url, migrations, clock);
  const client = await connectAtLength(url);
  try {
    await lockInstances(client);
    await check(readerOf(client));
    return new PostgresLoader(client, tables, await dropIndexes(client, tables));
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function lockInstances(client: pg.Client): Promise<void> {
  try {
    await client.query("begin");
    await client.query("lock table instances in share row exclusive mode");
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** Removes every index that is not one of a key, until the end: building one takes a fraction of the time. */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  try {
    const { rows } = await client.query<{ name: string; statement: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as statement
        from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = current_schema()::regnamespace and c.relname = any($1)
          and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
        order by 1`,
      [tables],
    );
    for (const { name } of rows) await client.query(`drop index ${name}`);
    return rows.map(({ statement }) => statement);
  } catch (error) {
    throw toDatabaseError(error);
  }
}

class PostgresLoader implements Loader {
  readonly engine = "postgres";
  readonly #client: pg.Client;
  readonly #tables: readonly string[];
  /** What creates the indexes. */
  readonly #indexes: readonly string[];

  constructor(client: pg.Client, tables: readonly string[], indexes: readonly string[]) {
    this.#client = client;
    this.#tables = tables;
    this.#indexes = indexes;
  }

  async insert(table: Sql, columns: Sql, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const most = Math.min(mostRows, Math.floor(mostParameters / first.length));
    const into = `insert into ${table.shape.postgres} (${columns.shape.postgres}) overriding system value values `;
    try {
      for (let start = 0; start < rows.length; start += most) {
        const some = rows.slice(start, start + most);
        await this.#client.query(into + parametersOf(some.length, first.length), some.flat());
      }
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  async finish(lastPosition: number): Promise<void> {
    const client = this.#client;
    try {
      for (const index of this.#indexes) await client.query(index);
      // A sequence begins at 1, so one that gave nothing is as it was made.
      await client.query(
        "select setval(pg_get_serial_sequence('events', 'position'), greatest($1::bigint, 1), $1 > 0)",
        [lastPosition],
      );
      await client.query("commit");
      // What was loaded is committed. If this fails, the server does it once it has written something.
      await analyze(client, this.#tables).catch(() => {});
    } catch (error) {
      throw toDatabaseError(error);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async abandon(): Promise<void> {
    await this.#client.query("rollback").catch(() => {});
    await this.#client.end().catch(() => {});
  }
}

/** Analyzes the tables of which the server would do it (`postgres/statistics.ts`): few rows tell nothing of plans. */
async function analyze(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relname = any($1)
        and pg_relation_size(c.oid) >= 4 * current_setting('block_size')::bigint`,
    [tables],
  );
  for (const { name } of rows) await client.query(`analyze ${name}`);
}

/** Returns `($1, $2), ($3, $4)` for two rows of two columns. */
function parametersOf(rows: number, columns: number): string {
  const all: string[] = [];
  for (let row = 0; row < rows; row++) {
    const numbers = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    all.push(`(${numbers.join(", ")})`);
  }
  return all.join(", ");
}
