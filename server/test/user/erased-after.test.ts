import assert from "node:assert/strict";
import { test } from "node:test";
import { type Call, requireCaller } from "../../src/call/index.ts";
import { sql } from "../../src/database/index.ts";
import { deleteUser, finishErasures } from "../../src/domain/deletion/index.ts";
import { findUser } from "../../src/domain/user/index.ts";
import { updateUser } from "../../src/domain/user-management/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { makeUserFixtures, outcomeOf, type UserFixtures } from "./support.ts";

// More than one unit of work erases.
const many = 620;

async function setUp(t: Parameters<OpenDatabase>[0], open: OpenDatabase) {
  const fixtures = await makeUserFixtures(t, open);
  const user = await fixtures.person(await fixtures.organization("Acme"));
  await fixtures.database.touch(fixtures.owner, (tx) =>
    tx.run(sql`insert into instances (instance_id, name, state, default_language,
      default_organization_id, system_project_id, sequence, created_at, changed_at)
    values (${tx.instanceId}, 'Test', 'active', 'en', 'o', 'p', 1, 1, 1)`),
  );
  const { userId } = user;
  for (let index = 0; index < many; index++) {
    await updateUser(fixtures, fixtures.owner, { userId, human: { profile: { nickName: `n${index}` } } });
  }
  return { fixtures, user, userId };
}

async function saying(fixtures: UserFixtures, userId: string): Promise<number> {
  const row = await fixtures.database.read.maybe<{ count: number }>(sql`select count(*) as "count" from events
    where aggregate_type = 'user' and aggregate_id = ${userId} and payload <> '{}' and type <> 'user.deleted'`);
  return Number(row?.count);
}

eachEngine((open) => {
  test("the history of a user is erased once the user is gone, and not while the deletion may still fail", async (t) => {
    const { fixtures, userId } = await setUp(t, open);
    const { owner } = fixtures;
    const before = await saying(fixtures, userId);
    assert.ok(before > many);
    // The caller loses the permission as soon as something is erased.
    let isErased = false;
    const caller = requireCaller(owner);
    const { access } = caller;
    const losing: Call = {
      ...owner,
      caller: { ...caller, access: { ...access, allows: (...given) => !isErased && access.allows(...given) } },
    };
    let isDone = false;
    const deletion = outcomeOf(deleteUser(fixtures, losing, { userId })).finally(() => {
      isDone = true;
    });
    while (!isDone && !isErased) {
      isErased = (await saying(fixtures, userId)) < before;
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(await deletion, "done");
    assert.equal(await findUser(fixtures.database.read, owner.instanceId, userId), undefined);
    assert.equal(await saying(fixtures, userId), 0);
  });

  test("the job erases what a crash after the deletion left", async (t) => {
    const { fixtures, user, userId } = await setUp(t, open);
    const { database, owner } = fixtures;
    const other = await fixtures.person(user);
    const crash = new Error("crash");
    const crashing = { ...fixtures, database: { ...bound(database), touch: () => Promise.reject(crash) } };
    await assert.rejects(deleteUser(crashing as never, owner, { userId }), crash);
    assert.equal(await findUser(database.read, owner.instanceId, userId), undefined);
    assert.ok((await saying(fixtures, userId)) > many);
    assert.equal(await finishErasures({ database, clock: () => owner.now }), 1);
    assert.equal(await saying(fixtures, userId), 0);
    assert.equal(await finishErasures({ database, clock: () => owner.now }), 0);
    assert.ok((await saying(fixtures, other.userId)) > 0);
  });

  test("a request erases of its own user alone, and a part; the job goes on behind it, with all in turn", async (t) => {
    const { fixtures, user, userId } = await setUp(t, open);
    const { owner } = fixtures;
    const crashing = { ...bound(fixtures.database), touch: () => Promise.reject(new Error("crash")) };
    await assert.rejects(deleteUser({ database: crashing as never }, owner, { userId }));
    const left = await saying(fixtures, userId);

    // 50 units of 100 events in the request.
    const talked = await addTalked(fixtures, user, 5520);
    const all = await saying(fixtures, talked);
    const ofRequest = counting(fixtures.database);
    await deleteUser(ofRequest, owner, { userId: talked });
    assert.equal(ofRequest.counted.units, 50);
    // One of these events is that of the deletion.
    assert.equal(await saying(fixtures, talked), all - 4999);
    assert.equal(await saying(fixtures, userId), left, "others pay nothing for it");

    const ofJob = counting(fixtures.database);
    const clock = () => owner.now;
    const stopping = new AbortController();
    const { touch } = ofJob.database;
    const stopped: typeof touch = (call, work) => {
      if (ofJob.counted.units === 1) stopping.abort();
      return touch(call, work);
    };
    assert.equal(await finishErasures({ database: { ...ofJob.database, touch: stopped }, clock }, stopping.signal), 0);
    assert.equal(ofJob.counted.units, 2);
    assert.ok((await saying(fixtures, userId)) < left, "the one of whom least is erased comes first");
    assert.equal(await finishErasures({ ...ofJob, clock }), 2);
    // Seven portions of the one, and six of the other: nothing is looked at again.
    assert.equal(ofJob.counted.units, 13);
    assert.deepEqual([await saying(fixtures, userId), await saying(fixtures, talked)], [0, 0]);
  });
});

/** Makes a user with so many events, as rows. */
async function addTalked(fixtures: UserFixtures, organization: { organizationId: string }, events: number) {
  const { userId } = await fixtures.person(organization);
  await fixtures.database.touch(fixtures.owner, (tx) =>
    tx.run(sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, payload, created_at, owner_id, request_id)
      with recursive series(n) as (select 1 union all select n + 1 from series where n < ${events})
      select ${tx.instanceId}, 'user', ${userId}, 1000 + n, 'user.metadata.set', '{"key":"k"}', 1, 'o', 'r' from series`),
  );
  return userId;
}

/** A database that counts the units of work behind the change. */
function counting(database: UserFixtures["database"]) {
  const counted = { units: 0 };
  const touch: UserFixtures["database"]["touch"] = (call, work) => {
    counted.units++;
    return database.touch(call, work);
  };
  return { counted, database: { ...bound(database), touch } as UserFixtures["database"] };
}

/** A database with which nothing is written after the change. */
const bound = (database: UserFixtures["database"]) => ({
  read: database.read,
  engine: database.engine,
  change: database.change.bind(database),
});
