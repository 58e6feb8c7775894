import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg, { type QueryConfig } from "pg";
import { byKey, DatabaseUnavailable, list, type Sql, sql } from "../../../src/database/index.ts";
import { PipelinedReads } from "../../../src/database/postgres/pipelined-reads.ts";
import { send } from "../../../src/database/postgres/send.ts";
import { clientSettings } from "../../../src/database/postgres/settings.ts";
import { SharedReads } from "../../../src/database/postgres/shared-reads.ts";
import { chanceOf, testSeed } from "../../support/data/random.ts";
import { onPostgres } from "../../support/databases/databases.ts";
import { postgresUrl } from "../../support/databases/postgres.ts";

const instances = ["one", "two", 'th"r,e{e}\\'];

// Up to three rows of a person in an instance, in their order; some have none.
const petsOf = (
  instanceId: string,
  person: string,
  most: number,
): Sql => sql`select p.pet, p.age, p.note from shared_pets p
  where p.instance_id = ${instanceId} and p.person = ${person} and p.age < ${most} order by p.age desc`;

onPostgres(() => {
  test("reads that come together are answered as each is alone, and those of an instance share a statement", async (t) => {
    const { client, shared, sent } = await openPets(t);
    const seed = testSeed();
    const chance = chanceOf(seed);
    for (let use = 0; use < 3; use++) await shared.all(byKey("one", petsOf("one", "p1", 40)));
    for (let round = 0; round < 40; round++) {
      const asked = Array.from({ length: 1 + chance.below(70) }, () => ({
        instanceId: chance.one(instances),
        person: `p${chance.below(12)}`,
        most: chance.below(40),
      }));
      sent.length = 0;
      const together = await Promise.all(
        asked.map(({ instanceId, person, most }) => shared.all(byKey(instanceId, petsOf(instanceId, person, most)))),
      );
      for (const [index, { instanceId, person, most }] of asked.entries()) {
        const { shape, values } = petsOf(instanceId, person, most);
        const alone = await client.query(shape.postgres, [...values]);
        assert.deepEqual(together[index], alone.rows, `seed ${seed}, round ${round}, read ${index}`);
      }
      for (const { values = [] } of sent) {
        assert.equal(new Set(values.filter((_, index) => index % 3 === 0)).size, 1, "a statement has one instance");
      }
      const mostStatements = instances.length * (asked.length / instances.length / 16 + 6);
      assert.ok(sent.length <= mostStatements, `${sent.length} statements for ${asked.length} reads, seed ${seed}`);
    }
  });

  test("a read that the server refuses fails alone", async (t) => {
    const { shared } = await openPets(t);
    const read = (most: number) => shared.all(byKey("one", petsOf("one", "p1", most)));
    const [expected = []] = await Promise.all([read(40), read(40), read(40), read(40)]);
    assert.ok(expected.length > 0);
    const answers = await Promise.allSettled([read(40), read(1e300), read(40), read(40), read(1e300)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "fulfilled", "rejected"],
    );
    for (const answer of answers) if (answer.status === "fulfilled") assert.deepEqual(answer.value, expected);
  });

  test("long lists are read alone, and so is a text that connections do not keep", async (t) => {
    const { shared, sent } = await openPets(t);
    const people = Array.from({ length: 40 }, (_, index) => `p${index}`);
    const read = () =>
      shared.all(
        byKey(
          "one",
          sql`select p.pet from shared_pets p
          where p.instance_id = ${"one"} and p.person in ${list(people)} order by p.pet`,
        ),
      );
    const [expected] = await Promise.all([read()]);
    assert.ok(expected !== undefined && expected.length > 5);
    for (let round = 0; round < 4; round++) {
      sent.length = 0;
      for (const rows of await Promise.all([read(), read(), read()])) assert.deepEqual(rows, expected);
      assert.equal(sent.length, 3);
    }
    const short = () => shared.all(byKey("one", sql`select p.age from shared_pets p where p.instance_id = ${"one"}`));
    const sentBy: number[] = [];
    for (let round = 0; round < 4; round++) {
      sent.length = 0;
      await Promise.all([short(), short()]);
      sentBy.push(sent.length);
    }
    assert.deepEqual([sentBy[0], sentBy.at(-1)], [2, 1]);
  });

  test("values that are absent are read beside values that are there", async (t) => {
    const { shared } = await openPets(t);
    const read = (note: string | null) =>
      shared.all(
        byKey(
          "one",
          sql`select count(*) as "count" from shared_pets p
          where p.instance_id = ${"one"} and coalesce(p.note, '-') = coalesce(${note}, '-')`,
        ),
      );
    for (let use = 0; use < 3; use++) await read("brown");
    const [absent, present, again] = await Promise.all([read(null), read("brown"), read(null)]);
    assert.notDeepEqual(absent, present);
    assert.deepEqual(again, absent);
  });

  test("reads on a broken connection are answered rightly or unavailable, and the next ones are answered", async (t) => {
    const { client } = await openPets(t);
    const reads = new PipelinedReads(clientSettings(await postgresUrl()), 1);
    t.after(() => reads.close());
    const all = () =>
      Promise.allSettled(Array.from({ length: 9 }, () => reads.all(byKey("one", petsOf("one", "p1", 40)))));
    const [expected] = await all();
    assert.ok(expected?.status === "fulfilled" && expected.value.length > 0);
    const held = reads.all(byKey("one", sql`select pg_sleep(30)`)).catch((error: unknown) => error);
    await until(client, "select pid from pg_stat_activity where query like 'select pg_sleep(30)%'");
    const broken = all();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(30)%'",
    );
    assert.ok((await held) instanceof DatabaseUnavailable);
    for (const each of await broken) {
      if (each.status === "rejected") assert.ok(each.reason instanceof DatabaseUnavailable);
      else assert.deepEqual(each.value, expected.value);
    }
    assert.ok((await all()).every(({ status }) => status === "fulfilled"));
  });

  test("a reader that is closed answers what was asked before", async (t) => {
    await openPets(t);
    const reads = new PipelinedReads(clientSettings(await postgresUrl()), 2);
    const read = () => reads.all(byKey("one", petsOf("one", "p1", 40)));
    await read();
    const asked = [read(), read(), read()];
    await reads.close();
    for (const each of await Promise.all(asked)) assert.ok(each.length > 0);
    await assert.rejects(read(), DatabaseUnavailable);
  });
});

async function until(client: pg.Client, query: string): Promise<void> {
  while ((await client.query(query)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Opens a connection, fills a table, and notes what shared reads send. */
async function openPets(t: TestContext): Promise<{
  readonly client: pg.Client;
  readonly shared: SharedReads;
  readonly sent: QueryConfig[];
}> {
  const client = new pg.Client({ ...clientSettings(await postgresUrl()), pipeline: true } as pg.ClientConfig);
  await client.connect();
  t.after(async () => {
    await client.query("drop table if exists shared_pets");
    await client.end();
  });
  await client.query("drop table if exists shared_pets");
  await client.query(`create table shared_pets (instance_id text not null, person text not null, pet text not null,
    age bigint not null, note text, primary key (instance_id, person, pet))`);
  for (const [number, instanceId] of instances.entries()) {
    for (let person = 0; person < 10; person++) {
      for (let pet = 0; pet < person % 4; pet++) {
        const age = (number * 7 + person * 5 + pet * 11) % 30;
        const note = pet === 1 ? null : "brown";
        await client.query("insert into shared_pets values ($1, $2, $3, $4, $5)", [
          instanceId,
          `p${person}`,
          `pet${number}${pet}`,
          age,
          note,
        ]);
      }
    }
  }
  const sent: QueryConfig[] = [];
  const shared = new SharedReads(() => async (query) => {
    sent.push(query);
    const [result] = await send(client, [query]);
    assert.ok(result !== undefined);
    return result;
  });
  return { client, shared, sent };
}
