import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import type { Call } from "../../src/call/index.ts";
import { type Database, performAll, sql } from "../../src/database/index.ts";
import { deleteOrganization, finishDeletions } from "../../src/domain/deletion/index.ts";
import { createGroup } from "../../src/domain/group/index.ts";
import { createProjectOfCaller } from "../../src/domain/membership/index.ts";
import {
  activateOrganization,
  beginDeletion,
  findOrganization,
  setDefaultOrganization,
  setOrganizationMetadata,
} from "../../src/domain/organization/index.ts";
import { isSessionLive } from "../../src/domain/session/index.ts";
import { changeUserState, findUser } from "../../src/domain/user/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Directory, makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";
import { makeUserFixtures } from "../user/support.ts";

// More than twice what one unit of work does.
const many = 620;
// Sessions of a batch, and what was issued from them.
const mostEvents = 2 * 100 + 10;

/** Gives a user sessions with a token family each. */
async function fill(database: Database, call: Call, user: { userId: string; organizationId: string }): Promise<void> {
  const { userId, organizationId } = user;
  await database.touch(call, async (tx) => {
    await tx.run(sql`insert into sessions (instance_id, session_id, user_id, organization_id, creator_id, factors, metadata,
        user_agent, sequence, created_at, changed_at)
      with recursive series(n) as (select 1 union all select n + 1 from series where n < ${many})
      select ${tx.instanceId}, ${userId} || '-' || n, ${userId}, ${organizationId}, 'creator', '{}', '{}', '{}', 1, ${tx.now}, ${tx.now}
      from series`);
    await tx.run(sql`insert into token_families (instance_id, family_id, client_id, user_id, session_id, scope, audience,
        authentication_methods, created_at, expires_at, sequence)
      select instance_id, 'family-' || session_id, 'client', user_id, session_id, 'openid', 'client', 'pwd', ${tx.now},
        ${tx.now + minutes(60)}, 1 from sessions where instance_id = ${tx.instanceId} and user_id = ${userId}`);
  });
}

async function count({ read }: Database, of: { type: string; instanceId: string }): Promise<number> {
  const row = await read.maybe<{ count: number }>(sql`select count(*) as "count" from events
    where instance_id = ${of.instanceId} and type = ${of.type}`);
  return Number(row?.count);
}

async function liveRows({ read }: Database, instanceId: string, userId: string): Promise<number> {
  const row = await read.maybe<{ count: number }>(sql`select
      (select count(*) from sessions where instance_id = ${instanceId} and user_id = ${userId} and terminated_at is null)
      + (select count(*) from token_families where instance_id = ${instanceId} and user_id = ${userId} and revoked_at is null)
      as "count"`);
  return Number(row?.count);
}

/** The most events that one transaction of PostgreSQL wrote; none on SQLite, which does not keep it. */
async function largestUnit({ read, engine }: Database, instanceId: string): Promise<number> {
  if (engine === "sqlite") return 0;
  const row = await read.maybe<{ most: number }>(sql`select max(each) as "most" from
    (select count(*) as each from events where instance_id = ${instanceId} group by transaction_id) units`);
  return Number(row?.most);
}

/** Names units of work in the order in which they end. */
async function inOrder(units: Readonly<Record<string, () => Promise<unknown>>>): Promise<string[]> {
  const ended: string[] = [];
  await Promise.all(Object.entries(units).map(([name, run]) => run().then(() => ended.push(name))));
  return ended;
}

eachEngine((open) => {
  test("the sessions of a user end in batches, between which other changes run", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { database, owner } = fixtures;
    const { instanceId } = owner;
    const organization = await fixtures.organization("Acme");
    const user = await fixtures.person(organization);
    const other = await fixtures.organization("Beta");
    await fill(database, owner, user);
    assert.equal(await liveRows(database, instanceId, user.userId), 2 * many);
    const entries = [{ key: "key", value: Buffer.from("value") }];
    const order = await inOrder({
      deactivation: () => changeUserState(fixtures, owner, { userId: user.userId, move: "deactivate" }),
      other: () => setOrganizationMetadata(fixtures, owner, { organizationId: other.organizationId, entries }),
    });
    assert.deepEqual(order, ["other", "deactivation"]);
    assert.equal((await findUser(database.read, instanceId, user.userId))?.state, "inactive");
    assert.equal(await liveRows(database, instanceId, user.userId), 0);
    assert.equal(await count(database, { instanceId, type: "session.terminated" }), many);
    assert.equal(await count(database, { instanceId, type: "token_family.revoked" }), many);
    assert.equal(await count(database, { instanceId, type: "user.deactivated" }), 1);
    assert.ok((await largestUnit(database, instanceId)) <= mostEvents);
  });

  test("a refused change ends no session, however many there are", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { database, owner } = fixtures;
    const organization = await fixtures.organization("Acme");
    const user = await fixtures.person(organization);
    await fill(database, owner, user);
    const move = { userId: user.userId, move: "deactivate" } as const;
    const stranger = fixtures.manager(await fixtures.organization("Beta"));
    assert.match(await outcome(() => changeUserState(fixtures, stranger, move)), /not_found|permission_denied/);
    const unlock = { userId: user.userId, move: "unlock" } as const;
    assert.match(await outcome(() => changeUserState(fixtures, owner, unlock)), /user\.not_locked/);
    assert.equal(await liveRows(database, owner.instanceId, user.userId), 2 * many);
    assert.equal(await outcome(() => changeUserState(fixtures, owner, move)), "ok");
    assert.equal(await liveRows(database, owner.instanceId, user.userId), 0);
  });

  test("many token families of one session are revoked in batches", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { database, owner } = fixtures;
    const user = await fixtures.person(await fixtures.organization("Acme"));
    await fill(database, owner, user);
    await database.touch(owner, async (tx) => {
      await tx.run(sql`update token_families set session_id = ${`${user.userId}-1`}
        where instance_id = ${tx.instanceId} and user_id = ${user.userId}`);
      await tx.run(sql`delete from sessions where instance_id = ${tx.instanceId} and user_id = ${user.userId}
        and session_id <> ${`${user.userId}-1`}`);
    });
    await changeUserState(fixtures, owner, { userId: user.userId, move: "lock" });
    assert.equal(await liveRows(database, owner.instanceId, user.userId), 0);
    assert.equal(await count(database, { instanceId: owner.instanceId, type: "token_family.revoked" }), many);
    assert.ok((await largestUnit(database, owner.instanceId)) <= mostEvents);
  });

  test("a unit that repeatedly finds too much to do is refused, and has changed nothing itself", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    let portions = 0;
    const endless = fixtures.database.touch(fixtures.owner, (tx) =>
      performAll(tx, {
        list: async (_tx, limit) => Array.from({ length: limit > 10 ? 11 : 1 }, (_, index) => index),
        perform: async () => void portions++,
        size: 10,
      }),
    );
    await assert.rejects(endless, { name: "DatabaseUnavailable" });
    assert.ok(portions > 100);
  });

  test("a step to which others add as fast as it handles is given up", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    let portions = 0;
    const fed = fixtures.database.touch(fixtures.owner, (tx) =>
      performAll(tx, {
        list: async (_tx, limit) => {
          assert.ok(portions < 20_000, "it ends");
          return Array.from({ length: limit }, (_, index) => index);
        },
        perform: async () => void portions++,
        size: 10,
      }),
    );
    await assert.rejects(fed, { name: "DatabaseUnavailable" });
    assert.ok(portions >= 10_000);
  });

  test("nothing is created in an organization that is being deleted", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const { database } = deps;
    const organizationId = await directory.addOrganization("Half");
    const owner = await directory.as(directory.ownerId);
    const rogue = await directory.as(await directory.addUser(directory.organizationId, "rogue"));
    const creations = [
      () => directory.addUser(organizationId, `user-${deps.newId()}`),
      () => createGroup(deps, owner, { organizationId, name: deps.newId(), description: "" }),
      () => createProjectOfCaller(deps, owner, { organizationId, name: deps.newId() }),
    ];
    for (const create of creations) assert.equal(await outcome(create), "ok");
    await directory.addRole(rogue.caller?.userId ?? "", "organization", organizationId, organizationId, "ORG_OWNER");
    await database.touch(owner, (tx) => beginDeletion(tx, organizationId));
    for (const create of creations) assert.equal(await outcome(create), "not_found organization.not_found");
    assert.equal(await finishDeletions({ database, clock: () => owner.now + minutes(10) }), 1);
    assert.equal(await findOrganization(database.read, instanceId, organizationId), undefined);
  });

  test("what refuses a deletion is asked again before the first batch", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const organizationId = await addLargeOrganization(directory);
    const owner = await directory.as(directory.ownerId);
    const [deleted, set] = await Promise.all([
      outcome(() => deleteOrganization(deps, owner, { organizationId })),
      outcome(() => setDefaultOrganization(deps, owner, { organizationId })),
    ]);
    const isThere = (await findOrganization(deps.database.read, instanceId, organizationId)) !== undefined;
    assert.equal(set === "ok", isThere, `${deleted}, ${set}`);
    assert.equal(deleted, set === "ok" ? "failed_precondition organization.is_default" : "ok");
  });

  test("an organization with many users is deactivated first, and gone in the end", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const organizationId = await addLargeOrganization(directory);
    const owner = await directory.as(directory.ownerId);
    const home = { organizationId: directory.organizationId };
    const order = await inOrder({
      deletion: () => deleteOrganization(deps, owner, { organizationId }),
      other: () =>
        setOrganizationMetadata(deps, owner, { ...home, entries: [{ key: "key", value: Buffer.from("value") }] }),
    });
    assert.deepEqual(order, ["other", "deletion"]);
    assert.equal(await findOrganization(deps.database.read, instanceId, organizationId), undefined);
    const { read } = deps.database;
    const left = await read.all(sql`select user_id from users
      where instance_id = ${instanceId} and organization_id = ${organizationId}`);
    assert.deepEqual(left, []);
    assert.equal(await count(deps.database, { instanceId, type: "user.deleted" }), manyUsers);
    assert.equal(await count(deps.database, { instanceId, type: "organization.deactivated" }), 1);
    assert.equal(await count(deps.database, { instanceId, type: "organization.deleted" }), 1);
    // The name is free again.
    await directory.addOrganization("Large");
  });

  test("a deletion that a crash interrupted is finished by the job, in the name of its caller", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const { database } = deps;
    const organizationId = await addLargeOrganization(directory);
    const owner = await directory.as(directory.ownerId);
    const signedIn = await directory.addUser(organizationId, "signed-in");
    await fill(database, owner, { userId: signedIn, organizationId });
    assert.equal(await isSessionLive(database.read, instanceId, `${signedIn}-1`), true);
    // All that a crash after the first unit leaves.
    await database.touch(owner, (tx) => beginDeletion(tx, organizationId));
    assert.equal(await isSessionLive(database.read, instanceId, `${signedIn}-1`), false);
    assert.equal(
      await outcome(() => activateOrganization(deps, owner, organizationId)),
      "not_found organization.not_found",
    );
    const clock = (after: number) => () => owner.now + after;
    assert.equal(await finishDeletions({ database, clock: clock(minutes(1)) }), 0);
    assert.notEqual(await findOrganization(database.read, instanceId, organizationId), undefined);
    assert.equal(await finishDeletions({ database, clock: clock(minutes(10)) }), 1);
    assert.equal(await findOrganization(database.read, instanceId, organizationId), undefined);
    const editors = await database.read.all(sql`select distinct editor_user_id as "editor" from events
      where instance_id = ${instanceId} and type in ('user.deleted', 'session.terminated', 'organization.deleted')`);
    assert.deepEqual(editors, [{ editor: directory.ownerId }]);
    assert.equal(await finishDeletions({ database, clock: clock(minutes(10)) }), 0);
  });

  test("a small organization is marked first, too, in a unit of its own", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const organizationId = await directory.addOrganization("Small");
    await directory.addUser(organizationId, "only");
    await deleteOrganization(deps, await directory.as(directory.ownerId), { organizationId });
    assert.equal(await count(deps.database, { instanceId, type: "organization.deactivated" }), 1);
    assert.equal(await count(deps.database, { instanceId, type: "user.deleted" }), 1);
  });
});

// More than twice what one unit of work deletes.
const manyUsers = 110;

async function addLargeOrganization(directory: Directory): Promise<string> {
  const organizationId = await directory.addOrganization("Large");
  for (let index = 0; index < manyUsers; index++) await directory.addUser(organizationId, `user-${index}`);
  return organizationId;
}
