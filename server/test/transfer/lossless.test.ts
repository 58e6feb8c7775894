import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type DatabaseLocation, openDatabase, type Sql, sql } from "../../src/database/index.ts";
import { exportedTables } from "../../src/domain/transfer/tables/exported-tables.ts";
import { hasRows } from "../../src/domain/transfer/transfer.store.ts";
import { makeMatrixFixtures } from "../access/support/fixtures.ts";
import { eachEngine, makeLocation, onPostgres } from "../support/databases/databases.ts";
import { startServer } from "../support/servers/server.ts";
import { exportFrom, importInto, makeMasterKey, openFile } from "./support/transfer.ts";
import { startWalkedServer } from "./support/walked-server.ts";

/** What triggers count, added up. */
async function countsAt(location: DatabaseLocation): Promise<unknown> {
  const database = await openDatabase({ ...location, warn: () => {} });
  try {
    return {
      users: await database.read.all(sql`select instance_id, organization_id, kind, state, sum(amount) as "amount"
        from user_counts group by 1, 2, 3, 4 having sum(amount) <> 0 order by 1, 2, 3, 4`),
      authorizations: await database.read.all(sql`select instance_id, organization_id, project_id, role_key, assignee,
        sum(amount) as "amount" from authorization_counts group by 1, 2, 3, 4, 5 having sum(amount) <> 0
        order by 1, 2, 3, 4, 5`),
    };
  } finally {
    await database.close();
  }
}

/** What makes each index of a PostgreSQL database. */
async function indexesAt(location: DatabaseLocation): Promise<unknown> {
  const database = await openDatabase({ ...location, warn: () => {} });
  try {
    return await database.read.all(
      sql`select indexname, indexdef from pg_indexes where schemaname = current_schema() order by indexname`,
    );
  } finally {
    await database.close();
  }
}

/** How many users each trigram finds at an embedded database. */
function trigramsAt({ directory = "" }: DatabaseLocation): unknown {
  const database = new DatabaseSync(join(directory, "doorward.db"));
  try {
    database.exec("create virtual table temp.parts using fts5vocab('main', 'user_words', 'row')");
    const rows = database.prepare("select term, doc from temp.parts order by term").all();
    assert.ok(rows.length > 100);
    const users = database
      .prepare("select count(*) as users, count(distinct search_number) as numbers from users")
      .get();
    assert.equal(users?.["users"], users?.["numbers"]);
    return rows;
  } finally {
    database.close();
  }
}

/** What makes each table, index and trigger of an embedded database. */
function schemaAt({ directory = "" }: DatabaseLocation): unknown {
  const database = new DatabaseSync(join(directory, "doorward.db"), { readOnly: true });
  try {
    return database.prepare("select type, name, sql from sqlite_schema order by type, name").all();
  } finally {
    database.close();
  }
}

eachEngine((_open, engine) => {
  const other = engine === "sqlite" ? "postgres" : "sqlite";

  test(`from ${engine} to ${other} and back, every value of every table is the same`, async (t) => {
    const server = await startWalkedServer(t, engine);
    const { database, vault } = server.app.domain;
    const empty: string[] = [];
    for (const table of exportedTables) if (!(await hasRows(database.read, table))) empty.push(table.name);
    assert.deepEqual(empty, []);
    const first = await exportFrom(server.location, vault);
    const original = await openFile(first.file);
    assert.equal(first.unreadable, 0);
    assert.ok(!original.lines.some((line) => line.includes(vault.newest)), "a secret is exported sealed");

    const [there, back] = [makeMasterKey(), makeMasterKey()];
    const [thereAt, backAt] = [await makeLocation(t, other), await makeLocation(t, engine)];
    await importInto(thereAt, first.file, there);
    const second = await exportFrom(thereAt, there.vault);
    assert.deepEqual((await openFile(second.file)).lines, original.lines);
    await importInto(backAt, second.file, back);
    const third = await exportFrom(backAt, back.vault);
    assert.deepEqual((await openFile(third.file)).lines, original.lines);
    assert.equal(third.digest, first.digest);

    await server.app.close();
    const counts = await countsAt(server.location);
    assert.deepEqual([await countsAt(thereAt), await countsAt(backAt)], [counts, counts]);
    // Triggers wrote them there, and here one statement did.
    if (engine === "sqlite") assert.deepEqual(trigramsAt(backAt), trigramsAt(server.location));
    if (engine === "sqlite") assert.deepEqual(schemaAt(backAt), schemaAt(server.location));
    if (engine === "postgres") assert.deepEqual(await indexesAt(backAt), await indexesAt(server.location));
  });

  test(`one of two instances moves from ${engine} to ${other} with everything that it has`, async (t) => {
    const { server } = await makeMatrixFixtures(t, engine);
    await server.app.jobs.stop();
    const isCursor = (row: string): boolean => row.startsWith('["statistics",');
    const { database, vault } = server.app.domain;
    const instances = await database.read.all<{ id: string }>(sql`select instance_id as "id" from instances`);
    assert.equal(instances.length, 2);
    const whole = await exportFrom(server.location, vault);
    const [wholeAt, target] = [await makeLocation(t, other), makeMasterKey()];
    await importInto(wholeAt, whole.file, target);
    assert.equal((await exportFrom(wholeAt, target.vault)).digest, whole.digest);
    for (const { id } of instances) {
      const one = await exportFrom(server.location, vault, { instanceId: id });
      const { lines } = await openFile(one.file);
      const wholeLines = new Set((await openFile(whole.file)).lines);
      const rows = lines.filter((line) => line.startsWith("["));
      assert.ok(rows.length > 100);
      // The cursor of what follows all instances is a position among the events of this one.
      const ofInstance = rows.filter((row) => !isCursor(row));
      // There is one when the jobs came to it before the fixtures were frozen.
      assert.equal(rows.length - ofInstance.length, [...wholeLines].filter(isCursor).length);
      for (const row of ofInstance) assert.ok(wholeLines.has(row) && row.includes(id), row);
      const at = await makeLocation(t, other);
      await importInto(at, one.file, target);
      assert.deepEqual((await openFile((await exportFrom(at, target.vault)).file)).lines.slice(1), lines.slice(1));
    }
  });
});

onPostgres((open) => {
  test("an event that a slow transaction wrote behind a follower is before its cursor after the move", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    await server.app.close();
    const { vault } = server.app.domain;
    const database = await open(t, { at: server.location });
    const cursorIn = async (): Promise<unknown> => {
      const { lines } = await openFile((await exportFrom(server.location, vault)).file);
      const rows = lines.slice(lines.findIndex((line) => line.startsWith('{"table":"feed_cursors"')) + 1);
      return JSON.parse(rows[0] ?? "");
    };
    const write = (statement: Sql) =>
      database.touch({ instanceId: "", requestId: "", now: 0, language: "en" }, (tx) => tx.run(statement));
    const row = await database.read.maybe<{ last: number }>(sql`select max(position) as "last" from events`);
    const last = row?.last ?? 0;
    await write(
      sql`update events set transaction_id = case position when ${last - 2} then '4'::xid8 else '3'::xid8 end`,
    );
    await write(sql`insert into feed_cursors (follower, transaction_id, position, changed_at)
      values ('test', '3', ${last - 1}, 7)`);
    assert.deepEqual(
      await cursorIn(),
      ["test", last - 3, 7],
      "of the slow one and of the last one, the slow one is first",
    );
    await write(sql`update feed_cursors set position = ${last}`);
    assert.deepEqual(await cursorIn(), ["test", last - 3, 7], "the slow one is not handled");
    await write(sql`update feed_cursors set transaction_id = '4', position = ${last - 2}`);
    assert.deepEqual(await cursorIn(), ["test", last, 7], "all are handled");
    await write(sql`update feed_cursors set transaction_id = '0', position = 0`);
    assert.deepEqual(await cursorIn(), ["test", 0, 7], "none is handled");
  });
});
