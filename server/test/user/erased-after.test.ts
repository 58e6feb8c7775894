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
});

/** A database with which nothing is written after the change. */
const bound = (database: UserFixtures["database"]) => ({
  read: database.read,
  engine: database.engine,
  change: database.change.bind(database),
});
