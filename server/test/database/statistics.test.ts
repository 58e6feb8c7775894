import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Database, sql } from "../../src/database/index.ts";
import { Listeners } from "../../src/database/listeners.ts";
import { Notices } from "../../src/database/postgres/notices.ts";
import { clientSettings } from "../../src/database/postgres/settings.ts";
import { Statistics } from "../../src/database/postgres/statistics.ts";
import { makeLocation, onPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

onPostgres((open) => {
  test("a table is analyzed when it has rows, and again when it grew tenfold; by one of the nodes", async (t) => {
    const at = await makeLocation(t, "postgres");
    const [one, two] = [await open(t, { at }), await open(t, { at })];
    const add = (database: Database, from: number, to: number): Promise<void> =>
      database.touch(testCall(), async (tx) => {
        await tx.run(sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
          select ${tx.instanceId}, 'user', cast(number as text), 'name', '', 1, 1
          from generate_series(cast(${from} as bigint), cast(${to} as bigint)) numbers (number)`);
      });
    const known = async (): Promise<number> => {
      const row = await one.read.maybe<{ rows: number }>(
        sql`select reltuples::bigint as "rows" from pg_class where oid = 'metadata'::regclass`,
      );
      return row?.rows ?? 0;
    };
    // The server's own job must not be quicker.
    await one.touch(testCall(), async (tx) => {
      await tx.run(sql`alter table metadata set (autovacuum_enabled = off)`);
    });
    await add(one, 1, 20);
    await add(two, 21, 40);
    await sleep(2500);
    assert.equal(await known(), -1, "of so few rows nothing can be learnt");

    await Promise.all([add(one, 41, 500), add(two, 501, 1000)]);
    await until(async () => (await known()) > 0);
    const first = await known();
    await add(two, 1001, 3000);
    await sleep(2500);
    assert.equal(await known(), first, "it did not grow tenfold");
    await add(two, 3001, 60_000);
    await until(async () => (await known()) === 60_000);
    const analysed = async (): Promise<number> =>
      (
        await one.read.maybe<{ count: number }>(
          sql`select analyze_count as "count" from pg_stat_user_tables where relname = 'metadata'`,
        )
      )?.count ?? 0;
    await until(async () => (await analysed()) >= 2);
    assert.equal(await analysed(), 2);
  });

  test("closing does not wait forever for a connection that is being made", async (t) => {
    const at = await makeLocation(t, "postgres");
    await open(t, { at });
    const settings = clientSettings(at.url ?? "");
    const client = new pg.Client(settings);
    await client.connect();
    await client.query("alter table metadata set (autovacuum_enabled = off)");
    await client.query(`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
      select 'one', 'user', number::text, 'name', '', 1, 1 from generate_series(1, 5000) numbers (number)`);
    await client.end();
    const notices = new Notices(settings, { listeners: new Listeners(() => {}), announces: () => false });
    await notices.start();
    // Takes connections and never answers.
    const connected = Promise.withResolvers<boolean>();
    const silent = createServer((socket) => {
      socket.on("error", () => {}).resume();
      connected.resolve(true);
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    t.after(() => silent.close());
    const { port } = silent.address() as { port: number };
    const there = { host: "127.0.0.1", port, user: "any", database: "any", connectionTimeoutMillis: 500 };
    const statistics = new Statistics(there, { notices, warn: () => {} });
    statistics.wrote();
    assert.ok(await Promise.race([connected.promise, sleep(20_000, false)]), "it connects to analyze");
    const isClosed = await Promise.race([statistics.close().then(() => true), sleep(5000, false)]);
    await notices.close();
    assert.ok(isClosed);
  });

  test("rows of a transaction that continues count once they are committed", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at });
    const client = new pg.Client(at.url);
    await client.connect();
    await client.query("alter table metadata set (autovacuum_enabled = off)");
    await client.query("begin");
    await client.query(`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
      select 'one', 'user', number::text, 'name', '', 1, 1 from generate_series(1, 5000) numbers (number)`);
    await database.touch(testCall(), async (tx) => {
      await tx.run(sql`update instances set changed_at = 1 where instance_id = ${tx.instanceId}`);
    });
    await sleep(2500);
    const known = async (): Promise<number> =>
      Number((await client.query("select reltuples from pg_class where oid = 'metadata'::regclass")).rows[0].reltuples);
    assert.equal(await known(), -1, "not of a table that seems to be empty");
    await client.query("commit");
    await until(async () => (await known()) === 5000);
    await client.end();
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, "it did not come to pass");
    await sleep(50);
  }
}
