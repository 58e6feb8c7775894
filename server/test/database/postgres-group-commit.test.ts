import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { payerOf, payFor } from "../../src/base/budget/payer.ts";
import type { Call } from "../../src/call/index.ts";
import { type Database, DatabaseUnavailable, sql, type Tx } from "../../src/database/index.ts";
import { makeLocation, onPostgres } from "../support/databases/databases.ts";
import { startForwarder } from "../support/databases/forwarder.ts";
import { testCall } from "../support/operations/call.ts";

const call = testCall();

// A row with constants among its values, as those of tokens have.
function write(tx: Tx, id: string): void {
  tx.write(sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
    values (${tx.instanceId}, ${"user"}, ${id}, ${"name"}, ${`of ${id}`}, 1, ${tx.now})`);
  tx.record({
    type: "thing.added",
    aggregateType: "thing",
    aggregateId: id,
    ownerId: "o",
    sequence: 1,
    payload: { of: id },
  });
}

const add = (database: Database, id: string, by: Call = call): Promise<string> =>
  database.change(by, async (tx) => {
    write(tx, id);
    return id;
  });

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${100 + index}`);

const kept = async (database: Database): Promise<string[]> =>
  (
    await database.read.all<{ id: string }>(sql`select m.owner_id as "id" from metadata m
      join events e on e.instance_id = m.instance_id and e.aggregate_id = m.owner_id
        and e.payload = '{"of":"' || m.owner_id || '"}' and m.metadata_value = 'of ' || m.owner_id order by m.owner_id`)
  ).map(({ id }) => id);

onPostgres((open) => {
  test("units that read nothing share transactions, and each has its rows, its event, its result and its listener", async (t) => {
    const database = await open(t);
    const heard: string[] = [];
    database.onCommitted({ committed: ({ aggregateId }) => void heard.push(aggregateId), missed: () => {} });
    const ids = names(200);
    assert.deepEqual(await Promise.all(ids.map((id) => add(database, id))), ids);
    assert.deepEqual(await kept(database), ids);
    assert.deepEqual(heard.sort(), ids);
    const [{ count = 0 } = {}] = await database.read.all<{ count: number }>(
      sql`select count(distinct transaction_id) as "count" from events`,
    );
    assert.ok(count >= 4 && count < 50, `${count} transactions`);
  });

  test("units of several instances and calls keep their own", async (t) => {
    const database = await open(t);
    const calls = ["one", "two"].map((name): Call => ({ ...call, instanceId: name, requestId: `request-${name}` }));
    await Promise.all(names(40).map((id, index) => add(database, id, calls[index % 2])));
    const rows =
      await database.read.all(sql`select e.instance_id as "instance", e.request_id as "request", count(*) as "count"
      from events e join metadata m on m.instance_id = e.instance_id and m.owner_id = e.aggregate_id
      group by e.instance_id, e.request_id order by 1`);
    assert.deepEqual(rows, [
      { instance: "one", request: "request-one", count: 20 },
      { instance: "two", request: "request-two", count: 20 },
    ]);
  });

  test("one that is refused fails alone, and listeners do not hear of it", async (t) => {
    const database = await open(t);
    await add(database, "id-107");
    const heard: string[] = [];
    database.onCommitted({ committed: ({ aggregateId }) => void heard.push(aggregateId), missed: () => {} });
    const ids = names(40);
    const results = await Promise.allSettled(ids.map((id) => add(database, id)));
    const refused = ids.filter((_, index) => results[index]?.status === "rejected");
    assert.deepEqual(refused, ["id-107"]);
    const [, , , , , , , lost] = results;
    assert.equal(lost?.status === "rejected" && lost.reason.name, "UniqueViolation");
    assert.deepEqual(await kept(database), ids);
    assert.deepEqual(
      heard.sort(),
      ids.filter((id) => id !== "id-107"),
    );
  });

  test("one that has to wait for another transaction does not keep the others", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at });
    const other = new pg.Client(at.url);
    await other.connect();
    await other.query("begin");
    await other.query(`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
      values ('${call.instanceId}', 'user', 'held', 'name', 'x', 1, 1)`);
    let isWaiting = true;
    // One comes when nothing is under way and is a group by itself; another comes with others.
    const settle = (id: string) =>
      add(database, id).then(
        () => "done",
        ({ name }: Error) => name,
      );
    const waiting = [settle("held"), settle("held")];
    void Promise.race(waiting).then(() => {
      isWaiting = false;
    });
    const ids = names(20);
    const started = performance.now();
    await Promise.all(ids.map((id) => add(database, id)));
    await add(database, "later");
    assert.ok(isWaiting && performance.now() - started < 2_000);
    await other.query("rollback");
    await other.end();
    assert.deepEqual((await Promise.all(waiting)).sort(), ["UniqueViolation", "done"]);
    assert.deepEqual(await kept(database), ["held", ...ids, "later"]);
  });

  test("those of one source that wait for a row leave connections to others, and are refused after seconds", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at });
    await add(database, "held");
    const other = new pg.Client(at.url);
    await other.connect();
    await other.query("begin");
    await other.query("update metadata set changed_at = 9 where owner_id = 'held'");
    const touch = (id: string) =>
      database.touch(call, async (tx) => {
        await tx.run(sql`update metadata set changed_at = 5 where instance_id = ${tx.instanceId} and owner_id = ${id}`);
      });
    const held = Array.from({ length: 12 }, () => payFor(payerOf("one", "192.0.2.1"), () => touch("held")));
    const refused = Promise.allSettled(held);
    await sleep(100);
    const started = performance.now();
    await payFor(payerOf("one", "198.51.100.1"), () => touch("id-1"));
    await payFor(payerOf("two", "203.0.113.1"), () => touch("id-1"));
    assert.ok(performance.now() - started < 1_000, "others go on");
    const results = await refused;
    assert.ok(results.every((each) => each.status === "rejected" && each.reason instanceof DatabaseUnavailable));
    await other.query("rollback");
    await other.end();
    await payFor(payerOf("one", "192.0.2.1"), () => touch("held"));
    assert.deepEqual(await database.read.all(sql`select changed_at as "at" from metadata where owner_id = 'held'`), [
      { at: 5 },
    ]);
  });

  test("a unit with another statement than an insert is committed as it is", async (t) => {
    const database = await open(t);
    await add(database, "id-99");
    const change = database.change(call, async (tx) => {
      tx.write(sql`delete from metadata where instance_id = ${tx.instanceId} and owner_id = ${"id-99"}`);
      write(tx, "id-99b");
      tx.write(sql`update metadata set changed_at = 7 where instance_id = ${tx.instanceId} and owner_id = ${"id-99b"}`);
    });
    await Promise.all([...names(20).map((id) => add(database, id)), change]);
    assert.deepEqual(await kept(database), [...names(20), "id-99b"]);
    assert.deepEqual(await database.read.all(sql`select owner_id as "id" from metadata where changed_at = 7`), [
      { id: "id-99b" },
    ]);
  });

  test("when the answer to a commit is lost, all are refused and none is done again by itself", async (t) => {
    const at = await makeLocation(t, "postgres");
    const forwarder = await startForwarder(t, at.url ?? "");
    const database = await open(t, { at: { url: forwarder.url } });
    let runs = 0;
    forwarder.cutAfterSending("insert into events");
    const ids = names(20);
    const works = ids.map((id) =>
      database.change(call, async (tx) => {
        runs++;
        write(tx, id);
      }),
    );
    const results = await Promise.allSettled(works);
    for (const result of results) {
      assert.ok(result.status === "rejected" && result.reason instanceof DatabaseUnavailable);
    }
    assert.equal(runs, ids.length);
    forwarder.restore();
    for (let tries = 0; tries < 100; tries++) {
      const there = await kept(database).catch((): string[] => []);
      if (there.includes("id-100")) return;
      await sleep(50);
    }
    assert.fail("the first commit is not there");
  });

  test("what is under way is committed before the database closes", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at });
    const ids = names(150);
    const works = Promise.all(ids.map((id) => add(database, id)));
    await sleep(1);
    const [done] = await Promise.all([works, database.close()]);
    assert.deepEqual(done, ids);
    const again = await open(t, { at });
    assert.deepEqual(await kept(again), ids);
    await assert.rejects(add(database, "late"), DatabaseUnavailable);
  });
});
