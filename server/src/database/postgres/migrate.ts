import pg from "pg";
import type { Clock } from "../../base/clock.ts";
import type { MigrationStep } from "../migration-step.ts";
import { type AppliedMigration, type Migration, pendingMigrations } from "../migrations.ts";
import { toDatabaseError } from "./errors.ts";
import { mendRestoredFeed } from "./restored-feed.ts";
import { clientSettings } from "./settings.ts";
import { toQuery } from "./statements.ts";

// "doorward" in ASCII, as one bigint: the lock that a node holds during migrations.
const lock = "7237954694405025380";

/**
 * Applies the pending migrations, each in its own transaction; a new database gets all of them in one. Nodes that start
 * at the same time wait for each other. When a node dies, its lock is released and its unfinished migration is rolled
 * back.
 */
export function migratePostgres(url: string, migrations: readonly Migration[], clock: Clock): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`select pg_advisory_lock(${lock})`);
    await client.query(
      "create table if not exists migrations (number bigint primary key, name text not null, checksum text not null, applied_at bigint not null)",
    );
    const applied = await appliedIn(client);
    const pending = pendingMigrations(migrations, applied);
    for (const together of applied.length === 0 ? [pending] : pending.map((each) => [each])) {
      await client.query("begin");
      for (const migration of together) await apply(client, migration, clock);
      await client.query("commit");
    }
    await mendRestoredFeed(client);
  });
}

/** Reads the applied migrations, without changing anything. */
export function appliedToPostgres(url: string): Promise<AppliedMigration[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query("select to_regclass('migrations') is not null as exists");
    return rows[0].exists ? appliedIn(client) : [];
  });
}

async function apply(client: pg.Client, migration: Migration, clock: Clock): Promise<void> {
  try {
    await client.query(migration.readStatements("postgres"));
    if (migration.step !== undefined) await take(client, migration.step());
    await client.query("insert into migrations (number, name, checksum, applied_at) values ($1, $2, $3, $4)", [
      migration.number,
      migration.name,
      migration.checksum,
      clock(),
    ]);
  } catch (error) {
    throw new Error(`migration ${migration.number} (${migration.name}) failed`, { cause: error });
  }
}

async function take(client: pg.Client, statements: MigrationStep): Promise<void> {
  for (let next = statements.next(); next.done !== true; ) {
    next = statements.next((await client.query(toQuery(next.value))).rows);
  }
}

/** Reads the applied migrations of a database that has some. */
export async function appliedIn(client: pg.Client): Promise<AppliedMigration[]> {
  return (await client.query("select number, name, checksum from migrations order by number")).rows;
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connectAtLength(url);
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Connects for work that may take longer than any statement of a request: a migration, waiting for that of another
 * node, moving everything. The caller ends the connection.
 */
export async function connectAtLength(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...clientSettings(url),
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    query_timeout: 0,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw toDatabaseError(error);
  }
}
