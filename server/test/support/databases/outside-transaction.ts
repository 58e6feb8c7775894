import pg from "pg";
import { type Database, sql } from "../../../src/database/index.ts";
import { postgresUrl } from "./postgres.ts";

/** A transaction on PostgreSQL beside the server's, which stops units of work where a test wants them. */
export interface OutsideTransaction {
  /** Runs a statement in it. */
  run(statement: string, values: readonly unknown[]): Promise<void>;
  commit(): Promise<void>;
  untilWaiting(count: number): Promise<void>;
}

/** Begins a transaction; it is taken back with its database at the end of the test, unless it was committed. */
export async function beginOutside(
  t: { after(end: () => Promise<void>): void },
  database: Database,
): Promise<OutsideTransaction> {
  const row = await database.read.maybe<{ database: string }>(sql`select current_database() as "database"`);
  const url = new URL(await postgresUrl());
  url.pathname = `/${row?.database}`;
  const client = new pg.Client(url.href);
  // Its database may be dropped first.
  client.on("error", () => {});
  await client.connect();
  let isEnded = false;
  const end = async () => {
    if (!isEnded) await client.end();
    isEnded = true;
  };
  t.after(end);
  await client.query("begin");
  return {
    run: async (statement, values) => {
      await client.query(statement, [...values]);
    },
    commit: async () => {
      await client.query("commit");
      await end();
    },
    untilWaiting: (count) => untilWaiting(database, count),
  };
}

/** Resolves when so many transactions of the database wait for locks. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  const deadline = performance.now() + 2000;
  while (performance.now() < deadline) {
    const row = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if ((row?.count ?? 0) >= count) return;
  }
  throw new Error(`fewer than ${count} transactions wait for locks`);
}
