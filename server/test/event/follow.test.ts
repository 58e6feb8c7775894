import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Database, openDatabase, sql } from "../../src/database/index.ts";
import { type FeedEvent, type Follower, feedStart, follow, listFeed } from "../../src/event/index.ts";
import { eachEngine, makeLocation, onPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const clock = (): number => 1_800_000_000_000;

const record = (database: Database, aggregateId: string, sequence = 1): Promise<void> =>
  database.change(testCall(), async (tx) => {
    tx.record({
      type: "thing.added",
      aggregateType: "thing",
      aggregateId,
      ownerId: "organization-1",
      sequence,
      payload: { sequence },
    });
  });

const idsOf = (events: readonly FeedEvent[]): string[] => events.map(({ aggregateId }) => aggregateId);

/** Writes a row for each event that it handles, so that what it did can be counted. */
const noting = (name: string, handle: (events: readonly FeedEvent[]) => void = () => {}): Follower => ({
  name,
  async handle(tx, events) {
    for (const { aggregateId, instanceId } of events) {
      await tx.run(sql`insert into metadata
        (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
        values (${instanceId}, 'user', ${aggregateId}, ${name}, '', 1, 1)`);
    }
    handle(events);
  },
});

const noted = async (database: Database, name: string): Promise<string[]> =>
  (
    await database.read.all<{ id: string }>(sql`select owner_id as "id" from metadata
      where instance_id = 'instance-1' and metadata_key = ${name} order by owner_id`)
  ).map(({ id }) => id);

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await holds()); attempt++) {
    assert.ok(attempt < 400, "it did not come to pass");
    await sleep(20);
  }
}

/**
 * The whole feed, when it has so many events: on PostgreSQL it waits for every older transaction of the server,
 * including of other tests.
 */
async function feedOf(database: Database, length: number): Promise<FeedEvent[]> {
  await until(async () => (await listFeed(database.read, feedStart, 100)).length === length);
  return listFeed(database.read, feedStart, 100);
}

eachEngine((open) => {
  test("the feed gives what happened after a cursor, in order, a page at a time", async (t) => {
    const database = await open(t);
    for (const id of ["a", "b", "c"]) await record(database, id);
    const [first, ...rest] = await feedOf(database, 3);
    assert.ok(first !== undefined);
    const { cursor, ...event } = first;
    assert.deepEqual(event, {
      instanceId: "instance-1",
      type: "thing.added",
      aggregateType: "thing",
      aggregateId: "a",
      ownerId: "organization-1",
      sequence: 1,
      payload: { sequence: 1 },
      requestId: "request-1",
      createdAt: 1_800_000_000_000,
    });
    assert.deepEqual(idsOf(rest), ["b", "c"]);
    assert.deepEqual(idsOf(await listFeed(database.read, cursor, 1)), ["b"]);
    assert.deepEqual(await listFeed(database.read, rest.at(-1)?.cursor ?? feedStart, 10), []);
  });

  test("a follower handles each event once, continues where it was, and hears of new ones", async (t) => {
    const database = await open(t);
    const deps = { database, clock, warn: (message: string) => assert.fail(message) };
    await record(database, "a");
    const stop = follow(deps, noting("one"));
    await until(async () => (await noted(database, "one")).length === 1);
    await record(database, "b");
    await until(async () => (await noted(database, "one")).length === 2);
    await stop();
    await record(database, "c");
    const handled: string[] = [];
    const again = follow(
      deps,
      noting("one", (events) => handled.push(...idsOf(events))),
    );
    await until(async () => (await noted(database, "one")).length === 3);
    await again();
    assert.deepEqual(handled, ["c"]);
    assert.deepEqual(await noted(database, "one"), ["a", "b", "c"]);
  });

  test("a follower that fails leaves nothing and tries again", async (t) => {
    const database = await open(t);
    const warnings: string[] = [];
    let isBroken = true;
    await record(database, "a");
    const stop = follow(
      { database, clock, warn: (message) => warnings.push(message) },
      noting("one", () => {
        if (isBroken) throw new Error("not yet");
      }),
    );
    await until(async () => warnings.length === 1);
    assert.deepEqual(await noted(database, "one"), []);
    isBroken = false;
    await until(async () => (await noted(database, "one")).length === 1);
    await stop();
    assert.deepEqual(warnings, ["a follower of the event feed failed; it tries again"]);
  });

  test("followers with the same name share the work: each event is handled by one", async (t) => {
    const database = await open(t);
    const deps = { database, clock, warn: (message: string) => assert.fail(message) };
    const follower = noting("one");
    const stops = [1, 2, 3].map(() => follow(deps, follower));
    const ids = Array.from({ length: 30 }, (_, index) => `e${index + 10}`);
    await Promise.all(ids.map((id) => record(database, id)));
    await until(async () => (await noted(database, "one")).length === ids.length);
    await Promise.all(stops.map((stop) => stop()));
    // Twice for one event would have been the same row twice, which its key refuses, and the follower warns of that.
    assert.deepEqual(await noted(database, "one"), ids);
  });
});

onPostgres((open) => {
  test("the feed waits for a slow transaction, and misses none of its events", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at });
    const slow = new pg.Client(at.url);
    await slow.connect();
    await slow.query("begin");
    await slow.query(`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload,
      request_id, created_at) values ('instance-1', 'thing', 'slow', 1, 'thing.added', 'o', '{}', 'r', 1)`);
    await record(database, "fast");
    // "fast" has the later position but committed first: to give it now would be to pass over "slow".
    assert.deepEqual(await listFeed(database.read, feedStart, 10), []);
    const handled: string[] = [];
    const deps = { database, clock, warn: (message: string) => assert.fail(message) };
    const stop = follow(
      deps,
      noting("one", (events) => handled.push(...idsOf(events))),
    );
    await sleep(100);
    assert.deepEqual(handled, []);
    await slow.query("commit");
    await slow.end();
    await until(async () => (await noted(database, "one")).length === 2);
    await stop();
    assert.deepEqual(handled, ["slow", "fast"]);
  });

  test("after a restore into another server the feed gives new events, and old ones that were not handled", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await openDatabase({ ...at, warn: () => {} });
    for (const id of ["a", "b", "c"]) await record(database, id);
    const [first] = await feedOf(database, 3);
    await database.touch(testCall(), async (tx) => {
      await tx.run(sql`update events set transaction_id =
        ((transaction_id::text::bigint + 1000000000)::text)::xid8`);
      await tx.run(sql`insert into feed_cursors (follower, transaction_id, position, changed_at)
        select 'one', transaction_id::text, position, 1 from events where aggregate_id = 'a'`);
    });
    assert.ok(first !== undefined);
    assert.deepEqual(await listFeed(database.read, feedStart, 10), []);
    await database.close();
    const restored = await open(t, { at });
    const handled: string[] = [];
    const deps = { database: restored, clock, warn: (message: string) => assert.fail(message) };
    const stop = follow(
      deps,
      noting("one", (events) => handled.push(...idsOf(events))),
    );
    await record(restored, "d");
    await until(async () => (await noted(restored, "one")).length === 3);
    await stop();
    assert.deepEqual(handled, ["b", "c", "d"]);
  });
});
