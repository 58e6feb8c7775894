import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, openDatabase, type Sql, sql } from "../../src/database/index.ts";
import { discardQueue, holdQueue } from "../../src/domain/action/index.ts";
import { claimLogoutNotice } from "../../src/domain/logout-notice/index.ts";
import { eachEngine, makeLocation, onPostgres } from "../support/databases/databases.ts";
import { noteUnits } from "../support/databases/noted-units.ts";
import { testCall } from "../support/operations/call.ts";

// More than are looked at together.
const many = Array.from({ length: 25 }, (_, index) => index);

const queues = {
  "logout notices": {
    insert: (name: string, index: number): Sql => sql`insert into logout_notices
      (instance_id, session_id, client_id, user_id, owner_id, attempts, next_attempt_at, created_at)
      values ('instance-1', ${`${name}-${index}`}, ${name}, 'u', 'o', 0, ${index}, 1)`,
    hold: sql`select session_id from logout_notices where instance_id = 'instance-1' and client_id = 'first' for update`,
    table: sql`select count(*) as "count" from logout_notices where next_attempt_at <= 1000`,
    claim: async (deps: Parameters<typeof claimLogoutNotice>[0]) => (await claimLogoutNotice(deps))?.clientId,
  },
  "queues of targets": {
    insert: (name: string, index: number): Sql => sql`insert into delivery_queues
      (instance_id, target_id, newest, due_at, paused_until, failures)
      values ('instance-1', ${`${name}-${index}`}, 1, ${index}, 0, 0)`,
    hold: sql`select target_id from delivery_queues where instance_id = 'instance-1' and target_id like 'first-%' for update`,
    table: sql`select count(*) as "count" from delivery_queues where due_at <= 1000`,
    claim: async (deps: Parameters<typeof holdQueue>[0]) => (await holdQueue(deps, 60_000))?.targetId.split("-")[0],
  },
};

eachEngine((open) => {
  for (const [name, { insert, claim }] of Object.entries(queues)) {
    test(`a claim is a unit of work of the instance that it is about: ${name}`, async (t) => {
      const database = await open(t);
      await database.touch(testCall(), async (tx) => void (await tx.run(insert("first", 1))));
      const instances = noteUnits(database);
      const deps = depsOf(database);
      assert.deepEqual([await claim(deps), await claim(deps)], ["first", undefined]);
      assert.deepEqual(instances, ["instance-1"]);
    });
  }
});

const depsOf = (database: Database) => ({
  database,
  clock: () => 1000,
  random: (size: number) => Buffer.alloc(size, 1),
  vault: undefined as never,
});

onPostgres(() => {
  for (const [name, { insert, hold, claim, table }] of Object.entries(queues)) {
    test(`what a transaction holds keeps nothing else back: ${name}`, async (t) => {
      const { url } = await makeLocation(t, "postgres");
      const database = await openDatabase({ url: url ?? "", warn: () => {} });
      t.after(() => database.close());
      const deps = depsOf(database);
      const call = testCall();
      await database.touch(call, async (tx) => {
        for (const index of many) await tx.run(insert("first", index));
        await tx.run(insert("second", 100));
      });
      const held = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const holder = database.touch(call, async (tx) => {
        await tx.all(hold);
        held.resolve();
        await ended.promise;
      });
      await held.promise;
      assert.equal(await claim(deps), "second");
      assert.equal(await claim(deps), undefined, "the others are held");
      ended.resolve();
      await holder;
      assert.equal(await claim(deps), "first");
      assert.deepEqual(await database.read.all(table), [{ count: many.length - 1 }]);
    });
  }

  test("a queue that is discarded stays while a delivery in it is being written", async (t) => {
    const { url } = await makeLocation(t, "postgres");
    const database = await openDatabase({ url: url ?? "", warn: () => {} });
    t.after(() => database.close());
    const deps = { ...depsOf(database), clock: () => now };
    let now = 1000;
    const call = testCall();
    await database.touch(call, async (tx) => {
      await tx.run(queues["queues of targets"].insert("gone", 1));
      for (const number of [1, 2]) {
        await tx.run(sql`insert into deliveries (instance_id, target_id, number, lane, subject, state, attempts,
          next_attempt_at, created_at) values ('instance-1', 'gone-1', ${number}, ${`lane ${number}`}, 's', 'pending', 0, 1, 1)`);
      }
    });
    const isLocked = Promise.withResolvers<void>();
    const isEnded = Promise.withResolvers<void>();
    // As the holder that was visiting when the target was deleted.
    const former = database.touch(call, async (tx) => {
      await tx.run(
        sql`update deliveries set attempts = 1 where instance_id = 'instance-1' and target_id = 'gone-1' and number = 1`,
      );
      isLocked.resolve();
      await isEnded.promise;
    });
    await isLocked.promise;
    const left = async () => [
      (await database.read.all(sql`select 1 as "found" from deliveries`)).length,
      (await database.read.all(sql`select 1 as "found" from delivery_queues`)).length,
    ];
    const discard = async () => {
      const queue = await holdQueue(deps, 60_000);
      assert.ok(queue);
      await discardQueue(deps, queue);
    };
    await discard();
    assert.deepEqual(await left(), [1, 1]);
    isEnded.resolve();
    await former;
    now += 60_001;
    await discard();
    assert.deepEqual(await left(), [0, 0]);
  });
});
