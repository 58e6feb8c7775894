import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, type Reader, type Sql, sql } from "../../src/database/index.ts";
import { listEvents, listProjectChanges } from "../../src/domain/event-log/index.ts";
import { findById } from "../../src/domain/search/find-by-id.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { watchedReader } from "../support/databases/touched-rows.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";

const size = 20_000;

const numbers = (engine: Reader["engine"]): Sql =>
  engine === "sqlite"
    ? sql`(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${size}) select n from counted) numbers`
    : sql`generate_series(1, cast(${size} as integer)) numbers (n)`;

/** Gives a record many events after those that it has. */
async function lengthen({ database, owner }: Fixtures, ownerId: string, projectId: string, from = 10): Promise<void> {
  await database.touch(owner, async (tx) => {
    tx.write(sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload, request_id,
        created_at)
      select ${tx.instanceId}, 'project', ${projectId}, cast(${from} as bigint) + n, 'project.role.added', ${ownerId}, '{}', '',
        cast(${owner.now} as bigint) + n from ${numbers(database.engine)}`);
  });
}

/** The reader of everything else, which notes what reads many rows, and how many statements are read at length. */
function watched(database: Database) {
  const { reader, long } = watchedReader(database, 2000);
  const steps: string[] = [];
  let atLength = 0;
  const read: Reader = {
    engine: reader.engine,
    all: async (statement) => {
      const explain = reader.engine === "sqlite" ? sql`explain query plan ${statement}` : sql`explain ${statement}`;
      steps.push(...(await database.read.all(explain)).map((row) => JSON.stringify(row)));
      return reader.all(statement);
    },
    maybe: (statement) => reader.maybe(statement),
    atLength: {
      engine: reader.engine,
      all: (statement) => {
        atLength++;
        return database.read.all(statement);
      },
      maybe: (statement) => {
        atLength++;
        return database.read.maybe(statement);
      },
    },
  };
  // An instance has one row of these.
  const isOfRows = (each: string) => !each.includes("instance_limits");
  return {
    database: { ...database, read } as Database,
    long: () => long.filter(isOfRows),
    steps,
    countAtLength: () => atLength,
  };
}

eachEngine((open) => {
  test("a page of changes reads few rows of a record with very many", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { organizationId } = await fixtures.organization("Large");
    const { projectId } = await fixtures.project({ organizationId });
    await lengthen(fixtures, organizationId, projectId);
    const call = { ...fixtures.owner, organizationId };
    for (const isAscending of [true, false]) {
      const { database, long, steps, countAtLength } = watched(fixtures.database);
      const page = { projectId, limit: 5, isAscending };
      const changes = await listProjectChanges({ database }, call, page);
      const expected = isAscending ? [1, 11, 12, 13, 14] : [10, 9, 8, 7, 6].map((n) => size + n);
      assert.deepEqual([changes.map(({ sequence }) => sequence), long(), countAtLength()], [expected, [], 0]);
      assert.match(steps.join("\n"), /events_deletions/);
    }
    // Where they begin is not known by an index.
    for (const isAscending of [true, false]) {
      const { database, countAtLength } = watched(fixtures.database);
      const page = { projectId, limit: 5, isAscending, since: call.now + size - 1 };
      const changes = await listProjectChanges({ database }, call, page);
      const expected = isAscending ? [size + 9, size + 10] : [size + 10, size + 9];
      assert.deepEqual([changes.map(({ sequence }) => sequence), countAtLength()], [expected, 1]);
    }
  });

  test("the changes of a record begin after the last deletion of a former one with its id", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { organizationId } = await fixtures.organization("Large");
    const { projectId } = await fixtures.project({ organizationId });
    await lengthen(fixtures, organizationId, projectId);
    const call = { ...fixtures.owner, organizationId };
    const sequences = async (page: { limit: number; isAscending: boolean }) =>
      (await listProjectChanges(fixtures, call, { projectId, ...page })).map(({ sequence }) => sequence);
    const deletedAt = (sequence: number, type: string) =>
      fixtures.database.touch(fixtures.owner, async (tx) => {
        tx.write(sql`update events set type = ${type} where instance_id = ${tx.instanceId}
          and aggregate_type = 'project' and aggregate_id = ${projectId} and sequence = ${sequence}`);
      });
    await deletedAt(40, "application.deleted");
    assert.deepEqual(await sequences({ limit: 2, isAscending: true }), [1, 11]);
    await deletedAt(50, "project.deleted");
    assert.deepEqual(await sequences({ limit: 2, isAscending: true }), [51, 52]);
    await deletedAt(size, "project.deleted");
    assert.deepEqual(await sequences({ limit: 2, isAscending: true }), [size + 1, size + 2]);
    assert.deepEqual(await sequences({ limit: 2, isAscending: false }), [size + 10, size + 9]);
    assert.equal((await sequences({ limit: 100, isAscending: false })).at(-1), size + 1);
  });

  test("the events of a record are read apart from everything else where they are many", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { organizationId } = await fixtures.organization("Large");
    const [large, small] = [await fixtures.project({ organizationId }), await fixtures.project({ organizationId })];
    await lengthen(fixtures, organizationId, large.projectId);
    const everything = { limit: 5, isAscending: false, types: [], aggregateTypes: [], time: {} };
    for (const search of [
      {},
      { aggregateTypes: ["project"] },
      { types: ["project.role.added"] },
      { ownerId: organizationId },
    ]) {
      for (const isAscending of [true, false]) {
        const { database, long, countAtLength } = watched(fixtures.database);
        const input = { ...everything, ...search, isAscending, aggregateId: large.projectId };
        const events = await listEvents({ database }, fixtures.owner, input);
        const first = "types" in search ? 11 : 1;
        assert.equal(events[0]?.sequence, isAscending ? first : size + 10, JSON.stringify(search));
        assert.deepEqual([events.length, long(), countAtLength()], [5, [], 1], JSON.stringify(search));
      }
      const { database, countAtLength } = watched(fixtures.database);
      const events = await listEvents({ database }, fixtures.owner, {
        ...everything,
        ...search,
        aggregateId: small.projectId,
      });
      assert.deepEqual([events.length, countAtLength()], ["types" in search ? 0 : 1, 0], "a record with few");
    }
    const { database, long, countAtLength } = watched(fixtures.database);
    const hits = await findById({ database }, fixtures.owner, {
      text: large.projectId,
      key: large.projectId,
      organizationId,
    });
    assert.deepEqual([hits.map(({ kind }) => kind), long(), countAtLength() > 0], [["events"], [], true]);
  });
});
