import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { payerOf, payFor } from "../../src/base/budget/payer.ts";
import {
  type Database,
  DatabaseUnavailable,
  openDatabase,
  sql,
  text,
  UniqueViolation,
} from "../../src/database/index.ts";
import { makeLocation, onPostgres } from "../support/databases/databases.ts";
import { startForwarder } from "../support/databases/forwarder.ts";
import { startPostgres } from "../support/databases/postgres.ts";
import { testCall } from "../support/operations/call.ts";

const call = testCall();
const event = (aggregateId: string, type = "thing.added", sequence = 1) => ({
  type,
  aggregateType: "thing",
  aggregateId,
  ownerId: "o",
  sequence,
});

const insert = (id: string) => sql`insert into metadata
  (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
  values ('instance-1', 'user', ${id}, 'name', '0', 1, 1)`;

const add = (database: Database, id: string): Promise<void> =>
  database.change(call, async (tx) => {
    await tx.run(insert(id));
    tx.record(event(id));
  });

const ids = async (database: Database): Promise<string[]> =>
  (await database.read.all<{ id: string }>(sql`select owner_id as "id" from metadata order by owner_id`)).map(
    ({ id }) => id,
  );

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, "it did not come to pass");
    await sleep(10);
  }
}

/** What a node heard, as lines. */
function listen(database: Database): string[] {
  const heard: string[] = [];
  database.onCommitted({
    committed: ({ instanceId, type, aggregateType, aggregateId, ownerId }) =>
      void heard.push([instanceId, type, aggregateType, aggregateId, ownerId].join(" ")),
    missed: () => void heard.push("missed"),
  });
  return heard;
}

onPostgres((open) => {
  test("a crash of the server is outlived without a restart: what was answered is there, the rest is refused", async () => {
    const server = await startPostgres({ isDurable: true });
    let isOver = false;
    try {
      const database = await openDatabase({ url: server.url, warn: (message) => assert.fail(message) });
      const heard = listen(database);
      const acknowledged: string[] = [];
      const refused: unknown[] = [];
      const writer = async (name: string): Promise<void> => {
        for (let n = 0; !isOver; n++) {
          await add(database, `${name}-${n}`).then(
            () => acknowledged.push(`${name}-${n}`),
            (error: unknown) => refused.push(error),
          );
          await sleep(2);
        }
      };
      const reader = async (): Promise<void> => {
        while (!isOver) {
          await ids(database).catch((error: unknown) => refused.push(error));
          await sleep(1);
        }
      };
      const load = Promise.all([..."abcdefgh"].map(writer).concat(reader(), reader()));
      await until(() => acknowledged.length > 100);
      await server.crash();
      await until(() => !database.hearsOtherNodes);
      await until(() => refused.length > 20);
      const before = acknowledged.length;
      await server.start();
      await until(() => acknowledged.length > before + 50);
      await until(() => database.hearsOtherNodes);
      isOver = true;
      await load;
      for (const error of refused) assert.ok(error instanceof DatabaseUnavailable, String(error));
      assert.ok(heard.includes("missed"));
      const present = new Set(await ids(database));
      const lost = acknowledged.filter((id) => !present.has(id));
      assert.deepEqual(lost, []);
      const events = await database.read.maybe<{ n: number }>(sql`select count(*) as "n" from events`);
      assert.equal(events?.n, present.size);
      await database.close();
    } finally {
      isOver = true;
      await server.stop();
    }
  });

  test("other nodes hear of events that matter to caches, and a node hears of its own once", async (t) => {
    const at = await makeLocation(t, "postgres");
    const announces = (type: string): boolean => type === "thing.added";
    const [one, two] = [await open(t, { at, announces }), await open(t, { at, announces })];
    const [heardByOne, heardByTwo] = [listen(one), listen(two)];
    await one.change(call, async (tx) => {
      tx.record(event("a", "thing.seen"));
      tx.record(event("b"));
    });
    assert.deepEqual(heardByOne, ["instance-1 thing.seen thing a o", "instance-1 thing.added thing b o"]);
    await until(() => heardByTwo.length > 0);
    await sleep(50);
    assert.deepEqual(heardByTwo, ["instance-1 thing.added thing b o"]);
    assert.equal(heardByOne.length, 2);
  });

  test("more events than a notice holds are told as everything may be stale", async (t) => {
    const at = await makeLocation(t, "postgres");
    const [one, two] = [await open(t, { at }), await open(t, { at })];
    const heard = listen(two);
    await one.change(call, async (tx) => {
      for (let n = 0; n < 500; n++) tx.record(event(`thing-${n}`));
    });
    await until(() => heard.length > 0);
    assert.deepEqual(heard, ["missed"]);
  });

  test("a change that is rolled back notifies no listener", async (t) => {
    const at = await makeLocation(t, "postgres");
    const [one, two] = [await open(t, { at }), await open(t, { at })];
    const heard = [...listen(one), ...listen(two)];
    const change = one.change(call, async (tx) => {
      tx.record(event("a"));
      throw new Error("no");
    });
    await assert.rejects(change, /no/);
    await sleep(50);
    assert.deepEqual(heard, []);
  });

  test("both sides of a deadlock succeed: one is repeated", async (t) => {
    const database = await open(t);
    await database.touch(call, async (tx) => {
      await tx.run(insert("a"));
      await tx.run(insert("b"));
    });
    let attempts = 0;
    let holding = 0;
    const held = Promise.withResolvers<void>();
    const bump = (id: string) => sql`update metadata set metadata_value = metadata_value || '1' where owner_id = ${id}`;
    const both = (first: string, second: string): Promise<void> =>
      database.touch(call, async (tx) => {
        attempts++;
        await tx.run(bump(first));
        // Each side has its first row before it wants that of the other.
        if (++holding === 2) held.resolve();
        await held.promise;
        await tx.run(bump(second));
      });
    await Promise.all([both("a", "b"), both("b", "a")]);
    // Three as a rule: one each, and one again. A slow machine may let them meet once more.
    assert.ok(attempts >= 3 && attempts <= 6, `${attempts} attempts`);
    assert.deepEqual(
      await database.read.all(sql`select metadata_value as "value" from metadata`),
      new Array(2).fill({ value: "011" }),
    );
  });

  test("a commit whose answer is lost is refused and never done again by itself", async (t) => {
    const at = await makeLocation(t, "postgres");
    const forwarder = await startForwarder(t, at.url ?? "");
    const database = await open(t, { at: { url: forwarder.url } });
    let runs = 0;
    // The server gets the commit; its answer does not come through.
    forwarder.cutAfterSending("commit");
    const change = database.change(call, async (tx) => {
      runs++;
      await tx.run(insert("a"));
      tx.record(event("a"));
    });
    await assert.rejects(change, DatabaseUnavailable);
    assert.equal(runs, 1);
    forwarder.restore();
    await until(async () => (await ids(database).catch(() => [])).length === 1);
    await assert.rejects(add(database, "a"), { name: "UniqueViolation" });
  });

  test("a server that stops answering is given up, and used again when it answers", async (t) => {
    const at = await makeLocation(t, "postgres");
    const forwarder = await startForwarder(t, at.url ?? "");
    // Shorter than in production, where the server's own time-out comes first.
    const database = await open(t, { at: { url: `${forwarder.url}&query_timeout=400` } });
    await add(database, "a");
    forwarder.swallow();
    const started = performance.now();
    await Promise.all([
      assert.rejects(ids(database), DatabaseUnavailable),
      assert.rejects(add(database, "b"), DatabaseUnavailable),
    ]);
    assert.ok(performance.now() - started < 3000);
    await until(() => !database.hearsOtherNodes);
    forwarder.restore();
    await until(async () => (await ids(database).catch(() => [])).length === 1);
    await add(database, "c");
    await until(() => database.hearsOtherNodes);
  });

  test("a statement that takes too long is ended by the server", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at: { url: `${at.url}&statement_timeout=200` } });
    await assert.rejects(database.read.all(sql`select pg_sleep(5)`), DatabaseUnavailable);
    await assert.rejects(
      database.touch(call, (tx) => tx.all(sql`select pg_sleep(5)`)),
      DatabaseUnavailable,
    );
    await add(database, "a");
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("a slow read delays no other", async (t) => {
    const database = await open(t);
    let isSlowOver = false;
    const slow = database.read.all(sql`select pg_sleep(1.5)`).then(() => {
      isSlowOver = true;
    });
    for (let n = 0; n < 20; n++) await ids(database);
    assert.equal(isSlowOver, false);
    await slow;
  });

  test("a caller that waits too long for a connection is refused", async (t) => {
    const database = await open(t, { warn: () => {} });
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const holders = Array.from({ length: 10 }, (_, index) =>
      payFor(payerOf(`instance-${index}`, "192.0.2.1"), () =>
        database.touch(call, async (tx) => {
          await tx.all(sql`select 1`);
          await gate;
        }),
      ),
    );
    const started = performance.now();
    await assert.rejects(add(database, "a"), DatabaseUnavailable);
    assert.ok(performance.now() - started < 6000);
    letGo();
    await Promise.all(holders);
    await add(database, "b");
  });

  test("options in the address come beside our limits, and not instead of them", async (t) => {
    const url = new URL((await makeLocation(t, "postgres")).url ?? "");
    url.searchParams.append("options", "-c work_mem=5MB -c lock_timeout=0");
    const database = await openDatabase({ url: url.href, warn: () => {} });
    const shown = await database.touch(call, (tx) =>
      tx.all(sql`select current_setting('lock_timeout') as "lock", current_setting('work_mem') as "memory",
        current_setting('jit') as "jit"`),
    );
    await database.close();
    assert.deepEqual(shown, [{ lock: "3s", memory: "5MB", jit: "off" }]);
  });

  test("settings of the server under which commits could be lost are warned of", async () => {
    const server = await startPostgres();
    try {
      const settings: unknown[] = [];
      const database = await openDatabase({
        url: server.url,
        warn: (_message, details) => settings.push(details?.["setting"]),
      });
      await database.close();
      assert.deepEqual(settings.toSorted(), ["fsync", "full_page_writes"]);
    } finally {
      await server.stop();
    }
  });

  test("hundreds of different statements at once are answered, each with its own rows", async (t) => {
    const database = await open(t);
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    const shapes = [text("1"), text("2"), text("3"), text("4")] as const;
    const answers = await Promise.all(
      numbers.map((n) =>
        database.read.maybe<{ n: number; shape: number }>(
          sql`select ${shapes[n % 4] ?? shapes[0]} as "shape", ${n} + 0 as "n"`,
        ),
      ),
    );
    assert.deepEqual(
      answers,
      numbers.map((n) => ({ shape: (n % 4) + 1, n })),
    );
  });

  test("a statement that fails spoils none of those that are sent with it, and none that come later", async (t) => {
    const database = await open(t);
    await add(database, "a");
    const count = sql`select count(*) as "n" from metadata where owner_id = ${"a"}`;
    for (let n = 0; n < 5; n++) {
      const failing = database.read.all(sql`select 1 / ${0}`);
      const reads = Promise.all([database.read.maybe(count), database.read.maybe(count)]);
      await assert.rejects(failing, /division by zero/);
      assert.deepEqual(await reads, [{ n: 1 }, { n: 1 }]);
    }
    const unit = (isFailing: boolean): Promise<unknown> =>
      database.touch(call, (tx) => {
        if (isFailing) tx.write(insert("a"));
        return tx.maybe(sql`select count(*) as "n" from metadata where owner_id in (${"a"}, ${"b"})`);
      });
    // It is prepared with the third use at the earliest, and the server takes nothing after an error.
    for (const isFailing of [false, false, true, true, false, true, false]) {
      if (isFailing) await assert.rejects(unit(true), UniqueViolation);
      else assert.deepEqual(await unit(false), { n: 1 });
    }
  });

  test("a table that another node changes under a prepared statement is read again after one refusal at most", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at });
    await add(database, "a");
    const read = () => database.read.maybe<{ n: unknown }>(sql`select created_at as "n" from metadata`);
    const write = () =>
      database.touch(call, (tx) =>
        tx.maybe<{ n: unknown }>(sql`update metadata set owner_id = 'a' returning created_at as "n"`),
      );
    for (let n = 0; n < 10; n++) await Promise.all([read(), read(), write()]);
    await database.touch(call, (tx) => tx.run(sql`alter table metadata alter column created_at type text`));
    for (const again of [read, write]) {
      let refusals = 0;
      for (let n = 0; n < 20; n++) {
        await again().catch((error: unknown) => {
          assert.ok(error instanceof DatabaseUnavailable, String(error));
          refusals++;
        });
      }
      // One for each connection that had prepared it.
      assert.ok(refusals <= 2, `${refusals} refusals`);
      assert.deepEqual(await again(), { n: "1" });
    }
  });
});
