import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { payerOf, payFor } from "../../src/base/budget/payer.ts";
import { type Database, DatabaseUnavailable, sql, type Tx } from "../../src/database/index.ts";
import { makeLocation, onPostgres } from "../support/databases/databases.ts";
import { startForwarder } from "../support/databases/forwarder.ts";
import { testCall } from "../support/operations/call.ts";

const call = testCall();
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${100 + index}`);

/** Adds what the units decide about: each of the names can be taken once. */
async function prepare(database: Database, ids: readonly string[]): Promise<void> {
  await database.touch(call, async (tx) => {
    for (const id of ids) {
      tx.write(sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
        values (${tx.instanceId}, ${"user"}, ${id}, ${"name"}, ${"free"}, 1, ${tx.now})`);
    }
  });
}

const decide = (tx: Tx, id: string): Promise<{ readonly id: string } | undefined> =>
  tx.decide(sql`update metadata set metadata_value = 'taken' where instance_id = ${tx.instanceId}
    and owner_type = 'user' and owner_id = ${id} and metadata_value = 'free' returning owner_id as "id"`);

function record(tx: Tx, id: string): void {
  tx.record({ type: "thing.taken", aggregateType: "thing", aggregateId: id, ownerId: "o", sequence: 1, payload: {} });
}

/** Takes a name, from a source of its own unless it is given. `rest` is what the unit does besides. */
const take = (
  database: Database,
  id: string,
  { from = id, rest }: { readonly from?: string; readonly rest?: (tx: Tx) => Promise<void> } = {},
): Promise<string> =>
  payFor(payerOf("one", from), () =>
    database.change(call, async (tx) => {
      const taken = await decide(tx, id);
      if (taken === undefined) throw new Error("it is taken");
      await rest?.(tx);
      record(tx, id);
      return taken.id;
    }),
  );

/** The ids that were taken, by the transactions that did. */
async function transactions(database: Database): Promise<string[][]> {
  const rows = await database.read.all<{ id: string; transaction: string }>(sql`select e.aggregate_id as "id",
      e.transaction_id as "transaction"
    from events e join metadata m on m.owner_id = e.aggregate_id and m.metadata_value = 'taken'
    where e.type = 'thing.taken' order by e.aggregate_id`);
  return [...Map.groupBy(rows, ({ transaction }) => transaction).values()].map((each) => each.map(({ id }) => id));
}

const taken = async (database: Database): Promise<string[]> => (await transactions(database)).flat().sort();

/** Counts how often a unit begins, and keeps it after its decision until it may go on. */
function kept(): { readonly gate: PromiseWithResolvers<void>; begun: number; readonly rest: () => Promise<void> } {
  const gate = Promise.withResolvers<void>();
  const self = {
    gate,
    begun: 0,
    rest: () => {
      self.begun++;
      return gate.promise;
    },
  };
  return self;
}

async function begin(t: TestContext, url = ""): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  t.after(() => client.end());
  await client.query("begin");
  return client;
}

onPostgres((open) => {
  test("units that decide at the same time share transactions, and each has its result, event and listener", async (t) => {
    const database = await open(t);
    const ids = names(100);
    await prepare(database, ids);
    const heard: string[] = [];
    database.onCommitted({ committed: ({ aggregateId }) => void heard.push(aggregateId), missed: () => {} });
    assert.deepEqual(await Promise.all(ids.map((id) => take(database, id))), ids);
    assert.deepEqual(await taken(database), ids);
    assert.deepEqual(heard.sort(), ids);
    const sizes = (await transactions(database)).map(({ length }) => length);
    assert.ok(Math.max(...sizes) > 30, `at most ${Math.max(...sizes)} of them together`);
  });

  test("of units that want the same, one gets it, and the others see what it committed", async (t) => {
    const database = await open(t);
    await prepare(database, names(3));
    const why = async (id: string): Promise<string> =>
      database.change(call, async (tx) => {
        if ((await decide(tx, id)) !== undefined) {
          record(tx, id);
          return "taken";
        }
        const row = await tx.maybe<{ value: string }>(sql`select metadata_value as "value" from metadata
          where instance_id = ${tx.instanceId} and owner_id = ${id}`);
        return `was ${row?.value}`;
      });
    const answers = await Promise.all(names(3).flatMap((id) => [why(id), why(id), why(id), why(id)]));
    assert.deepEqual(answers.sort(), [...new Array(3).fill("taken"), ...new Array(9).fill("was taken")]);
    assert.deepEqual(await taken(database), names(3));
  });

  test("a unit that gives up takes back only what it did, and then its source shares nothing for a time", async (t) => {
    const database = await open(t);
    const ids = names(20);
    await prepare(database, [...ids, ...names(60).slice(40)]);
    const refuse = async (): Promise<void> => {
      throw new Error("refused");
    };
    const results = await Promise.allSettled(
      ids.map((id, index) => take(database, id, index === 7 ? { rest: refuse } : {})),
    );
    const refused = ids.filter((_, index) => results[index]?.status === "rejected");
    assert.deepEqual(refused, ["id-107"]);
    const others = ids.filter((id) => id !== "id-107");
    assert.deepEqual(await taken(database), others);
    const more = names(60).slice(40);
    await Promise.all(more.map((id, index) => take(database, id, index < 3 ? { from: "id-107" } : {})));
    assert.deepEqual(await taken(database), [...others, ...more]);
    const own = (await transactions(database)).filter((each) => more.slice(0, 3).some((id) => each.includes(id)));
    assert.deepEqual(own.flat().sort(), more.slice(0, 3), "from the source that gave up");
    const sizes = (await transactions(database)).map(({ length }) => length);
    assert.ok(Math.max(...sizes) > 10, "the others share");
  });

  test("sources of one block that give up do not keep others from sharing", async (t) => {
    const database = await open(t);
    const ids = names(60);
    await prepare(database, ids);
    const [breaking, others] = [ids.slice(0, 30), ids.slice(30)];
    const refuse = async (): Promise<void> => {
      throw new Error("refused");
    };
    const from = (index: number): string => `2001:db8:0:${index}::/64`;
    for (const [index, id] of breaking.slice(0, 8).entries()) {
      await assert.rejects(take(database, id, { from: from(index), rest: refuse }), /refused/);
    }
    await Promise.allSettled([
      ...breaking.map((id, index) => take(database, id, { from: from(100 + index), rest: refuse })),
      ...others.map((id) => take(database, id)),
    ]);
    assert.deepEqual(await taken(database), others);
    const sizes = (await transactions(database)).map(({ length }) => length);
    assert.ok(Math.max(...sizes) > 20, `at most ${Math.max(...sizes)} together`);
  });

  test("a unit that decides twice has both in its transaction", async (t) => {
    const database = await open(t);
    const ids = names(20);
    await prepare(database, ids);
    const second = (index: number) => ({ rest: async (tx: Tx) => void (await decide(tx, ids[index + 10] ?? "")) });
    await Promise.all(ids.slice(0, 10).map((id, index) => take(database, id, second(index))));
    const [row] = await database.read.all(sql`select count(*) as "taken" from metadata where metadata_value = 'taken'`);
    assert.deepEqual(row, { taken: 20 });
  });

  test("what a unit reads and writes after its decision is in the same transaction", async (t) => {
    const database = await open(t);
    const ids = names(30);
    await prepare(database, ids);
    const read = async (tx: Tx, id: string): Promise<void> => {
      tx.write(sql`update metadata set changed_at = 7 where instance_id = ${tx.instanceId} and owner_id = ${id}`);
      const row = await tx.maybe(sql`select metadata_value as "value", changed_at as "at" from metadata
        where instance_id = ${tx.instanceId} and owner_id = ${id}`);
      assert.deepEqual(row, { value: "taken", at: 7 });
    };
    await Promise.all(ids.map((id) => take(database, id, { rest: (tx) => read(tx, id) })));
    assert.deepEqual(await taken(database), ids);
    const sizes = (await transactions(database)).map(({ length }) => length);
    assert.ok(Math.max(...sizes) > 10, "they share");
  });

  test("a unit that is slow keeps nothing from the others", async (t) => {
    // The watch warns of units that wait for anything else.
    const database = await open(t, { warn: () => {} });
    const ids = names(10);
    await prepare(database, ids);
    const slow = kept();
    const [first = "", ...others] = ids;
    const waiting = take(database, first, { rest: slow.rest });
    await Promise.all(others.map((id) => take(database, id)));
    assert.deepEqual(await taken(database), others);
    slow.gate.resolve();
    assert.equal(await waiting, first);
    assert.deepEqual(await taken(database), ids);
    assert.equal(slow.begun, 2, "it was repeated by itself");
  });

  test("a unit that has to wait for the row of another transaction keeps nothing from the others", async (t) => {
    const at = await makeLocation(t, "postgres");
    const database = await open(t, { at });
    const ids = names(10);
    await prepare(database, ids);
    const other = await begin(t, at.url);
    await other.query("update metadata set changed_at = 9 where owner_id = 'id-104'");
    const [held = ""] = ids.splice(4, 1);
    const waiting = take(database, held);
    await Promise.all(ids.map((id) => take(database, id)));
    assert.deepEqual(await taken(database), ids);
    await other.query("commit");
    assert.equal(await waiting, held);
  });

  test("a unit whose rows are refused fails alone", async (t) => {
    const database = await open(t);
    const ids = names(10);
    await prepare(database, ids);
    const twice = async (tx: Tx): Promise<void> => {
      tx.write(sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
        values (${tx.instanceId}, ${"user"}, ${"id-100"}, ${"name"}, ${"free"}, 1, ${tx.now})`);
    };
    const results = await Promise.allSettled(
      ids.map((id, index) => take(database, id, index === 3 ? { rest: twice } : {})),
    );
    const failed = results.flatMap((result) => (result.status === "rejected" ? [result.reason.name] : []));
    assert.deepEqual(failed, ["UniqueViolation"]);
    assert.deepEqual(
      await taken(database),
      ids.filter((id) => id !== "id-103"),
    );
  });

  test("when the answer to a commit is lost, all are refused and none is done again by itself", async (t) => {
    const at = await makeLocation(t, "postgres");
    const forwarder = await startForwarder(t, at.url ?? "");
    const database = await open(t, { at: { url: forwarder.url } });
    const ids = names(10);
    await prepare(database, ids);
    let runs = 0;
    const count = async (): Promise<void> => void runs++;
    forwarder.cutAfterSending("insert into events");
    const results = await Promise.allSettled(ids.map((id) => take(database, id, { rest: count })));
    for (const result of results) {
      assert.ok(result.status === "rejected" && result.reason instanceof DatabaseUnavailable);
    }
    assert.equal(runs, ids.length);
    forwarder.restore();
    const again = await open(t, { at });
    assert.deepEqual(await taken(again), ids);
  });
});
