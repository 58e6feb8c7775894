import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type DatabaseLocation,
  type DatabaseOptions,
  openDatabase,
  planMigrations,
  sql,
} from "../../src/database/index.ts";
import { statementsFor } from "../../src/database/migrations.ts";
import { type Engine, eachEngine, makeEmptyPostgres, onPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const child = fileURLToPath(new URL("./migrate.child.ts", import.meta.url));

/** Migrations of a test: each file's text by its name. */
function makeMigrations(t: TestContext, files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "doorward-migrations-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

async function emptyLocation(t: TestContext, engine: "sqlite" | "postgres"): Promise<DatabaseLocation> {
  if (engine === "postgres") return { url: await makeEmptyPostgres(t) };
  const directory = mkdtempSync(join(tmpdir(), "doorward-test-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return { directory };
}

const one = { "0001_one.sql": "create table one (\n  instance_id text not null\n);\n" };
const two = { ...one, "0002_two.sql": "create table two (\n  instance_id text not null\n);\n" };

/** Opens and closes: what is of interest is whether it could. */
async function visit(location: DatabaseLocation, options: Partial<DatabaseOptions> = {}): Promise<void> {
  const database = await openDatabase({ warn: () => {}, ...location, ...options });
  await database.close();
}

eachEngine((_open, engine) => {
  const location = (t: TestContext): Promise<DatabaseLocation> => emptyLocation(t, engine);

  test("migrations are applied once, and the plan lists what is missing", async (t) => {
    const at = await location(t);
    const plan = (migrations: string) => planMigrations({ ...at, migrationsDirectory: migrations });
    const first = makeMigrations(t, one);
    const both = makeMigrations(t, two);
    const firstStep = { number: 1, name: "one" };
    const secondStep = { number: 2, name: "two" };
    assert.deepEqual(await plan(both), [firstStep, secondStep]);
    await visit(at, { migrationsDirectory: first });
    assert.deepEqual(await plan(first), []);
    assert.deepEqual(await plan(both), [secondStep]);
    await assert.rejects(
      visit(at, { migrationsDirectory: both, migrations: "require" }),
      /doorward migrate.* 2 \(two\)/,
    );
    await visit(at, { migrationsDirectory: both });
    assert.deepEqual(await plan(both), []);
    await visit(at, { migrationsDirectory: both, migrations: "require" });
  });

  test("a database that is newer than the program is refused", async (t) => {
    const at = await location(t);
    await visit(at, { migrationsDirectory: makeMigrations(t, two) });
    const older = makeMigrations(t, one);
    const refusal = { name: "MigrationRefused", message: /newer than this program: it has migration 2 \(two\)/ };
    await assert.rejects(visit(at, { migrationsDirectory: older }), refusal);
    await assert.rejects(planMigrations({ ...at, migrationsDirectory: older }), refusal);
  });

  test("a migration that was edited after it had been applied is refused", async (t) => {
    const at = await location(t);
    await visit(at, { migrationsDirectory: makeMigrations(t, one) });
    const edited = makeMigrations(t, { "0001_one.sql": "create table other (\n  instance_id text not null\n);\n" });
    await assert.rejects(visit(at, { migrationsDirectory: edited }), /migration 1 \(one\) was changed/);
  });

  test("a migration that fails leaves nothing of itself, and those before it stay", async (t) => {
    const at = await location(t);
    const broken = { "0002_two.sql": `${two["0002_two.sql"]}insert into two (nothing) values (1);\n` };
    await assert.rejects(
      visit(at, { migrationsDirectory: makeMigrations(t, { ...one, ...broken }) }),
      /migration 2 \(two\) failed/,
    );
    await visit(at, { migrationsDirectory: makeMigrations(t, two) });
  });

  test("a process that is killed while it migrates leaves a database that the next one completes", async (t) => {
    const at = await location(t);
    const slow =
      engine === "postgres"
        ? "select pg_sleep(0.15);\n"
        : "insert into two select 'x' from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000) select i from n);\n";
    const three = "create table three (\n  instance_id text not null\n);\n";
    const files = { ...two, "0002_two.sql": `${two["0002_two.sql"]}${slow}`, "0003_three.sql": `${three}${slow}` };
    const migrations = makeMigrations(t, files);
    for (let round = 0; round < 6; round++) {
      const running = spawn(process.execPath, [child, JSON.stringify({ ...at, migrationsDirectory: migrations })], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise((resolve) => running.once("exit", resolve));
      // From the moment at which it begins, so that the kill falls into the migrations and not into the start of the
      // process.
      await new Promise((resolve) => running.stdout?.once("data", resolve));
      await sleep(20 + 60 * round);
      running.kill("SIGKILL");
      await ended;
    }
    const database = await openDatabase({ ...at, migrationsDirectory: migrations, warn: () => {} });
    t.after(() => database.close());
    const applied = await database.read.all(sql`select number from migrations order by number`);
    assert.deepEqual(applied, [{ number: 1 }, { number: 2 }, { number: 3 }]);
    const rows = await database.read.maybe<{ n: number }>(sql`select count(*) as "n" from two`);
    assert.equal(rows?.n, engine === "postgres" ? 0 : 800_000);
  });

  test("each engine gets the types in which both behave alike", async (t) => {
    const at = await location(t);
    const database = await openDatabase({ ...at, warn: () => {} });
    t.after(() => database.close());
    if (engine === "sqlite") {
      const loose = await database.read.all(
        sql`select name from pragma_table_list where schema = 'main' and type = 'table' and strict = 0 and name not like 'sqlite%'`,
      );
      assert.deepEqual(loose, []);
    } else {
      const other = await database.read.all(sql`select table_name, column_name, data_type, collation_name
        from information_schema.columns where table_schema = 'public' and table_name <> 'migrations' and column_name <> 'transaction_id'
          and not (data_type = 'text' and collation_name = 'C') and data_type <> 'bigint'`);
      assert.deepEqual(other, []);
    }
  });

  test("both engines have the same tables and columns, and every table begins with the instance", async (t) => {
    const at = await location(t);
    const database = await openDatabase({ ...at, warn: () => {} });
    t.after(() => database.close());
    const columns = await database.read.all<{ table: string; column: string }>(
      engine === "sqlite"
        ? sql`select t.name as "table", c.name as "column" from pragma_table_list t join pragma_table_xinfo(t.name) c
            where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%' order by t.name, c.cid`
        : sql`select table_name as "table", column_name as "column" from information_schema.columns
            where table_schema = 'public' order by table_name collate "C", ordinal_position`,
    );
    const tables = Object.groupBy(columns, ({ table }) => table);
    const withoutInstance = Object.keys(tables).filter((name) => tables[name]?.[0]?.column !== "instance_id");
    assert.deepEqual(withoutInstance, ["feed_cursors", "migrations"]);
    const shape = columns
      .filter(({ column }) => !["transaction_id", "search_number"].includes(column))
      .map(({ table, column }) => `${table}.${column}`)
      .join();
    shapes.set(engine, shape);
    if (shapes.size === 2) assert.equal(shapes.get("sqlite"), shapes.get("postgres"));
  });

  test("every table has a primary key", async (t) => {
    const at = await location(t);
    const database = await openDatabase({ ...at, warn: () => {} });
    t.after(() => database.close());
    const without = await database.read.all(
      engine === "sqlite"
        ? sql`select t.name as "table" from pragma_table_list t where t.schema = 'main' and t.type = 'table'
            and t.name not like 'sqlite%' and not exists (select 1 from pragma_table_info(t.name) c where c.pk > 0)`
        : sql`select t.relname as "table" from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
            and not exists (select 1 from pg_index i where i.indrelid = t.oid and i.indisprimary)`,
    );
    assert.deepEqual(without, []);
  });

  test("whatever is unique is so within an instance, except what belongs to the whole database", async (t) => {
    const at = await location(t);
    const database = await openDatabase({ ...at, warn: () => {} });
    t.after(() => database.close());
    const uniqueWithoutInstance = async (): Promise<string[]> => {
      const rows = await database.read.all<{ index: string }>(
        engine === "sqlite"
          ? sql`select t.name || ': ' || (select group_concat(c.name, ', ') from pragma_index_info(i.name) c) as "index"
              from pragma_table_list t join pragma_index_list(t.name) i where t.schema = 'main' and t.type = 'table'
                and i."unique" = 1 and 'instance_id' not in (select coalesce(c.name, '') from pragma_index_info(i.name) c)
            union all select t.name || ': ' || c.name from pragma_table_list t join pragma_table_info(t.name) c
              where t.schema = 'main' and t.type = 'table' and c.pk = 1
                and not exists (select 1 from pragma_index_list(t.name) i where i.origin = 'pk')`
          : sql`select t.relname || ': ' || string_agg(coalesce(a.attname, ''), ', ' order by k.place) as "index"
              from pg_index i join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
                cross join unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
                left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0
              where i.indisunique group by t.relname, i.indexrelid
              having bool_and(a.attname is distinct from 'instance_id')`,
      );
      return rows.map(({ index }) => index).sort();
    };
    const ofEngine = ofWholeDatabase[engine];
    assert.deepEqual(await uniqueWithoutInstance(), Object.keys(ofEngine).sort());
    await database.touch(testCall(), async (tx) => {
      await tx.run(sql`create unique index planted on users (user_id)`);
    });
    assert.ok((await uniqueWithoutInstance()).includes("users: user_id"));
  });
});

const inBoth = {
  "feed_cursors: follower": "a follower reads the events of all instances in one order",
  "instance_domains: host": "a host is how a request finds its instance, so it leads to one only",
  "migrations: number": "the schema is the same for all instances",
} as const;

/** What is unique without an instance, and why. No row of an instance refers to another by any of these. */
const ofWholeDatabase: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  sqlite: {
    ...inBoth,
    "events: position": "the database numbers events as they are written, for followers",
    "users: search_number": "the index of words, which is not a table, numbers the users whose words it has",
  },
  postgres: {
    ...inBoth,
    "events: transaction_id, position": "the database numbers events as they are written, for followers",
  },
};

const shapes = new Map<string, string>();

onPostgres(() => {
  test("nodes that start at once on an empty database migrate it once", async (t) => {
    const url = await makeEmptyPostgres(t);
    const nodes = await Promise.all([1, 2, 3].map(() => openDatabase({ url, warn: () => {} })));
    t.after(() => Promise.all(nodes.map((node) => node.close())));
    assert.deepEqual(await planMigrations({ url }), []);
    for (const node of nodes)
      await node.touch(testCall(), async (tx) => void (await tx.all(sql`select 1 from events`)));
  });
});

test("lines for one engine are for that engine alone and taken as they are", () => {
  const text = [
    "create table t (",
    "  a text not null,",
    "-- engine: sqlite",
    "  b integer primary key",
    "-- engine: postgres",
    "  b text not null",
    "-- engine: both",
    ");",
    "create index t_a on t (lower(a));",
  ].join("\n");
  assert.deepEqual(statementsFor("sqlite", text).split("\n"), [
    "create table t (",
    "  a text not null,",
    "  b integer primary key",
    ") strict;",
    "create index t_a on t (lower(a));",
  ]);
  assert.deepEqual(statementsFor("postgres", text).split("\n"), [
    "create table t (",
    '  a text collate "C" not null,',
    "  b text not null",
    ");",
    "create index t_a on t (doorward_lower(a));",
  ]);
});

test("files that are no migration, or share a number, are refused", async (t) => {
  const unnamed = makeMigrations(t, { "first.sql": "" });
  await assert.rejects(planMigrations({ directory: "/nowhere", migrationsDirectory: unnamed }), /not named like/);
  const twice = makeMigrations(t, { "0001_one.sql": "", "0001_two.sql": "" });
  await assert.rejects(
    planMigrations({ directory: "/nowhere", migrationsDirectory: twice }),
    /two migrations have the number 1/,
  );
});
