import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { type Database, openDatabase, sql, type Tx } from "../../src/database/index.ts";
import { makeLocation } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const call = testCall();

async function open(t: TestContext): Promise<Database> {
  const database = await openDatabase({ ...(await makeLocation(t, "sqlite")), warn: () => {} });
  t.after(() => database.close());
  return database;
}

async function add(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`insert into metadata
    (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
    values ('instance-1', 'user', ${id}, 'name', 'value', 1, 1)`);
  tx.record({ type: "thing.added", aggregateType: "thing", aggregateId: id, ownerId: "organization-1", sequence: 1 });
}

const ids = async ({ read }: Database): Promise<string[]> =>
  (await read.all<{ id: string }>(sql`select owner_id as "id" from metadata order by owner_id`)).map(({ id }) => id);

describe("a batch of changes", () => {
  test("a change that fails before its first write does not make others run again", async (t) => {
    const database = await open(t);
    const runs = new Map<string, number>();
    const works = ["a", "b", "c", "d"].map((id) =>
      database.change(call, async (tx) => {
        runs.set(id, (runs.get(id) ?? 0) + 1);
        await tx.all(sql`select 1 as "one"`);
        if (id === "b") throw new Error("refused");
        await add(tx, id);
      }),
    );
    const results = await Promise.allSettled(works);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "fulfilled"],
    );
    assert.deepEqual([...runs.values()], [1, 1, 1, 1]);
    assert.deepEqual(await ids(database), ["a", "c", "d"]);
  });

  test("one that fails after it wrote takes back only itself, in its batch and in those after it", async (t) => {
    const database = await open(t);
    for (const batch of ["1", "2", "3"]) {
      const works = ["a", "b", "c"].map((id) =>
        database.change(call, async (tx) => {
          await add(tx, id + batch);
          if (id === "b") throw new Error("refused");
        }),
      );
      const [a, b, c] = await Promise.allSettled(works);
      assert.deepEqual([a?.status, b?.status, c?.status], ["fulfilled", "rejected", "fulfilled"]);
      assert.match(String(b?.status === "rejected" && b.reason), /refused/);
    }
    assert.deepEqual(await ids(database), ["a1", "a2", "a3", "c1", "c2", "c3"]);
  });

  test("an event whose position is taken takes back the rows of its change, and no others", async (t) => {
    const database = await open(t);
    await database.change(call, (tx) => add(tx, "taken"));
    const works = ["a", "b", "c"].map((id) =>
      database.change(call, async (tx) => {
        await add(tx, id);
        if (id === "b") {
          const aggregate = { aggregateType: "thing", aggregateId: "taken", ownerId: "organization-1" };
          tx.record({ type: "thing.changed", ...aggregate, sequence: 1 });
        }
      }),
    );
    assert.deepEqual(
      (await Promise.allSettled(works)).map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(await ids(database), ["a", "c", "taken"]);
  });
});
