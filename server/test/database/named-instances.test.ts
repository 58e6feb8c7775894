import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { days } from "../../src/base/clock.ts";
import { type Database, sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { tablesWithoutInstance } from "../support/databases/named-instances.ts";
import { noteStatements } from "../support/databases/noted-statements.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { prepareWalk, walk } from "./day-one/walk.ts";

// A statement that names its instance in each of its queries is planned by keys, whatever is known of the tables, and
// has to be answered by one database only, should instances ever be kept in several.

/** Stores with statements of jobs and of the operator's commands, which look through all instances at once. */
const ofAllInstances: ReadonlySet<string> = new Set([
  "bulk-job/bulk-job-claim.store.ts",
  "credential/lasting-credential.store.ts",
  "factor/single-factor-administrator.store.ts",
  "instance/list-instances.store.ts",
  "logout-notice/due-notice.store.ts",
  "notification/delivery.store.ts",
]);

/** A query inside of another that takes its instance from that one. */
const borrowed = /\bwhere\s+(\w+\.instance_id = \w+\.instance_id)/g;

const borrowedIn = (text: string): string[] => [...text.matchAll(borrowed)].map(([, condition = ""]) => condition);

test("no store has a query inside of another without an instance of its own", () => {
  const domain = fileURLToPath(new URL("../../src/domain/", import.meta.url));
  const stores = readdirSync(domain, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".store.ts"),
  );
  assert.ok(stores.length > 100);
  const found = new Map(stores.map((file) => [file, borrowedIn(readFileSync(join(domain, file), "utf8"))]));
  for (const [file, conditions] of found) {
    if (!ofAllInstances.has(file)) assert.deepEqual(conditions, [], file);
  }
  const unused = [...ofAllInstances].filter((file) => found.get(file)?.length === 0 || !found.has(file));
  assert.deepEqual(unused, [], "these need no exception any more");
  assert.deepEqual(borrowedIn("exists (select 1 from users k\n  where k.instance_id = u.instance_id and 1 = 1)"), [
    "k.instance_id = u.instance_id",
  ]);
});

test("every query of the statements that requests send names its instance", async (t) => {
  const server = await startOidcServer(t);
  // Their statements are for all instances.
  await server.app.jobs.stop();
  const walkers = await prepareWalk(server);
  const { database } = server.app.domain;
  const names = await tablesOf(database);
  const texts = new Set<string>();
  noteStatements(database, ({ shape }) => void texts.add(shape.postgres.replaceAll(/\s+/g, " ")));
  await walk(server, walkers);
  assert.ok(texts.size > 100, `${texts.size} statements`);
  const unnamed = [...texts].filter((text) => tablesWithoutInstance(text, names).length > 0);
  assert.deepEqual(
    unnamed.filter((text) => !ofNoInstance.some((part) => text.includes(part))),
    [],
  );
  const planted: Readonly<Record<string, readonly string[]>> = {
    "select 1 from users where user_id = $1": ["users users"],
    "select 1 from users u join sessions s on s.user_id = u.user_id where u.instance_id = $1": ["sessions s"],
    "select 1 from users u where u.instance_id = $1 and exists (select 1 from sessions s where s.instance_id = u.instance_id)":
      ["sessions s"],
    "select 1 from users u join sessions s on s.instance_id = u.instance_id where u.instance_id = $1": [],
    "delete from users where instance_id = $1 and user_id in (select user_id from sessions where user_id = $2)": [
      "sessions sessions",
    ],
  };
  for (const [text, found] of Object.entries(planted))
    assert.deepEqual(tablesWithoutInstance(text, names), found, text);
});

/** Whether a statement inserts values of which one is found by a query. */
const insertsFound = (text: string): boolean =>
  /\binsert into \w+ (?:(?!\bselect\b).)*\bvalues\b.*\(select\b/s.test(text);

test("no insert has a query among its values", () => {
  // One place would have to answer the query, and another take the row, should instances ever be kept in several.
  const source = fileURLToPath(new URL("../../src/", import.meta.url));
  const stores = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".store.ts"),
  );
  const templates = stores.flatMap((file) =>
    [...readFileSync(join(source, file), "utf8").matchAll(/`[^`]*`/g)].map(([template]) => ({ file, template })),
  );
  assert.ok(templates.filter(({ template }) => template.includes("insert into")).length > 60);
  assert.deepEqual(
    templates.filter(({ template }) => insertsFound(template)),
    [],
  );
  assert.ok(insertsFound("insert into users (instance_id, sequence) values ($1, (select max(sequence) from events))"));
  assert.ok(
    !insertsFound("insert into users (instance_id, sequence) select 'values', (select max(sequence) from events)"),
  );
});

eachEngine((_open, engine) => {
  test("jobs change, delete and lock rows of one named instance at a time", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { database } = server.app.domain;
    const names = await tablesOf(database);
    const [requests, work] = [new Set<string>(), new Set<string>()];
    let noted = requests;
    noteStatements(database, ({ shape }) => void noted.add(shape.postgres.replaceAll(/\s+/g, " ").trim()));
    await walk(server, await prepareWalk(server));
    assert.deepEqual([...requests].filter(insertsFound), []);
    noted = work;
    for (const passed of [days(2), days(400)]) {
      server.clock.now += passed;
      await server.app.jobs.tick();
    }
    const writes = [...work].filter((text) => /\b(?:insert into|update|delete from) \w|\bfor share\b/.test(text));
    for (const table of ["sessions", "session_clients", "access_tokens", "token_families", "auth_requests"]) {
      assert.ok(
        writes.some((text) => text.includes(`delete from ${table} `)),
        table,
      );
    }
    assert.deepEqual(
      writes.filter((text) => tablesWithoutInstance(text, names).length > 0),
      [],
    );
  });
});

async function tablesOf(database: Database): Promise<ReadonlySet<string>> {
  const tables = await database.read.all<{ name: string }>(
    database.engine === "sqlite"
      ? sql`select m.name as "name" from sqlite_master m
          where m.type = 'table' and exists (select 1 from pragma_table_info(m.name) c where c.name = 'instance_id')`
      : sql`select table_name as "name" from information_schema.columns
          where table_schema = 'public' and column_name = 'instance_id'`,
  );
  const names = new Set(tables.map(({ name }) => name));
  assert.ok(names.has("users") && names.has("sessions"));
  return names;
}

/** Statements that find an instance in the first place, and those of jobs that a request wakes. */
const ofNoInstance: readonly string[] = [
  "from instance_domains h join instances i",
  "from logout_notices where next_attempt_at <= $1",
  "from message_providers p where p.state = 'active' and exists (select 1 from notifications n",
];
