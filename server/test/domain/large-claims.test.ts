import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { type Database, DatabaseUnavailable, sql } from "../../src/database/index.ts";
import { createDomainClaims, finishClaims } from "../../src/domain/contact/index.ts";
import { deleteOrganization } from "../../src/domain/deletion/index.ts";
import { findUserByLoginName, renameLoginNames } from "../../src/domain/login-name/index.ts";
import {
  addOrganizationDomain,
  deactivateOrganization,
  listUnfinishedClaims,
  removeOrganizationDomain,
  setPrimaryDomain,
} from "../../src/domain/organization/index.ts";
import { findServiceAccount } from "../../src/domain/user/index.ts";
import { createMachineUser } from "../../src/domain/user-management/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { addManyNames, countLoginNames, countToldUsers } from "../support/databases/many-names.ts";
import { makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";

const domain = "shared.example";
// More than two batches.
const many = 250;

/** A database of which units of work without history fail, once `count` of them are done. */
function failingAfter(database: Database, count: number, error = new Error("crash")): Database {
  let done = 0;
  const touchAtLength: Database["touchAtLength"] = (call, work) => {
    if (++done > count) return Promise.reject(error);
    return database.touchAtLength(call, work);
  };
  return Object.create(database, { touchAtLength: { value: touchAtLength } });
}

/** An organization whose users have names in a domain that it does not own, and two that may get the domain. */
async function setUp(t: Parameters<OpenDatabase>[0], open: OpenDatabase) {
  const directory = await makeDirectory(await open(t));
  const { database } = directory.deps;
  const caller = await directory.as(directory.ownerId);
  const evil = await directory.addOrganization("Evil");
  const [front, rival] = [await directory.addOrganization("Front"), await directory.addOrganization("Rival")];
  const userId = await directory.addUser(evil, "model");
  await addManyNames(database, caller, { userId, count: many, domain });
  const deps = {
    ...directory.deps,
    renameLoginNames,
    refuseEndOfHome: async () => {},
    requiresDomainProof: async () => false,
    domainClaims: createDomainClaims(directory.deps),
  };
  const own = (organizationId: string, claims = deps.domainClaims) =>
    outcome(() => addOrganizationDomain({ ...deps, domainClaims: claims }, caller, { organizationId, domain }));
  /** What a crash after some batches leaves. */
  const crash = async (batches: number) => {
    const claims = createDomainClaims({ ...directory.deps, database: failingAfter(database, batches) });
    await assert.rejects(
      addOrganizationDomain({ ...deps, domainClaims: claims }, caller, { organizationId: front, domain }),
      /crash/,
    );
    assert.equal((await listUnfinishedClaims(database.read)).length, 1);
  };
  const runJob = (after = minutes(10)) => finishClaims({ ...directory.deps, clock: () => caller.now + after });
  const remove = (organizationId: string) =>
    outcome(() => removeOrganizationDomain(deps, caller, { organizationId, domain }));
  const createAccount = (organizationId: string, username: string) =>
    outcome(() =>
      database.change(caller, (tx) => createMachineUser(tx, deps, { organizationId, username, name: username })),
    );
  return { directory, deps, database, caller, evil, front, rival, own, crash, runJob, remove, createAccount };
}

/** Each user has another name, and was told of it once. */
async function assertDone(database: Database): Promise<void> {
  assert.deepEqual(await listUnfinishedClaims(database.read), []);
  assert.equal(await countLoginNames(database, domain), 0);
  assert.deepEqual(await countToldUsers(database), { users: many, messages: many });
}

eachEngine((open) => {
  test("a claim that a crash interrupted is finished by the job, from where it was", async (t) => {
    const { database, crash, runJob } = await setUp(t, open);
    await crash(1);
    assert.equal(await countLoginNames(database, domain), many - 100);
    assert.equal(await runJob(minutes(1)), 0, "the request may still be at it");
    assert.equal(await countLoginNames(database, domain), many - 100);
    assert.equal(await runJob(), 1);
    await assertDone(database);
    assert.equal(await runJob(), 0);
  });

  test("a claim succeeds when the database fails after the proof, and is finished by the job", async (t) => {
    const { directory, database, front, own, runJob } = await setUp(t, open);
    const failing = failingAfter(database, 1, new DatabaseUnavailable("closing"));
    assert.equal(await own(front, createDomainClaims({ ...directory.deps, database: failing })), "ok");
    assert.equal(await countLoginNames(database, domain), many - 100);
    assert.equal(await runJob(), 1);
    await assertDone(database);
  });

  test("names in the domain mean users of the owner alone, also while the claim is unfinished", async (t) => {
    const { directory, deps, database, caller, evil, front, crash, runJob, createAccount } = await setUp(t, open);
    const { instanceId } = directory;
    await database.touch(caller, (tx) =>
      tx.run(sql`update users set kind = 'machine' where organization_id = ${evil} and username_key like 'n0249@%'`),
    );
    const find = (name: string) => findUserByLoginName(database.read, instanceId, `${name}@${domain}`);
    assert.equal((await find("n0250"))?.organizationId, evil);
    assert.equal(
      (await findServiceAccount(database.read, instanceId, `n0249@${domain}`))?.loginName,
      `n0249@${domain}`,
    );
    await crash(0);
    assert.equal(await countLoginNames(database, domain), many);
    assert.equal(await find("n0250"), undefined);
    assert.equal(await createAccount(front, "n0250"), "ok");
    assert.equal((await find("n0250"))?.organizationId, front);
    const setPrimary = () => outcome(() => setPrimaryDomain(deps, caller, { organizationId: front, domain }));
    assert.equal(await setPrimary(), "failed_precondition user.login_names_collide");
    assert.equal(await createAccount(front, `n0249@${domain}`), "ok");
    assert.match(await createAccount(evil, `new@${domain}`), /username_is_address/);
    assert.equal(await runJob(), 1);
    assert.equal(await countLoginNames(database, domain), 0);
    assert.equal(await setPrimary(), "ok");
  });

  test("a name that another user still has is refused, where the domain forms login names", async (t) => {
    const { deps, database, caller, front, crash, runJob, createAccount } = await setUp(t, open);
    await database.touch(caller, (tx) =>
      tx.run(sql`update users set username = 'x-' || user_id, username_key = 'x-' || user_id
        where username_key like ${`%@${domain}`}`),
    );
    await crash(0);
    assert.equal(await outcome(() => setPrimaryDomain(deps, caller, { organizationId: front, domain })), "ok");
    assert.equal(await createAccount(front, "n0250"), "already_exists user.username_taken");
    assert.equal(await runJob(), 1);
    assert.equal(await createAccount(front, "n0250"), "ok");
  });

  test("the mark goes with the domain, and the next owner takes the rest", async (t) => {
    const { database, front, rival, own, crash, runJob, remove } = await setUp(t, open);
    await crash(1);
    assert.equal(await own(rival), "already_exists organization.domain_taken");
    assert.equal(await remove(front), "ok");
    assert.deepEqual(await listUnfinishedClaims(database.read), []);
    assert.equal(await runJob(), 0);
    assert.equal(await countLoginNames(database, domain), many - 100);
    assert.equal(await own(rival), "ok");
    await assertDone(database);
  });

  test("a claim ends when the domain is removed between batches", async (t) => {
    const { deps, database, caller, front, own, remove } = await setUp(t, open);
    const owned = own(front);
    while ((await countToldUsers(database)).users === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await remove(front), "ok");
    assert.equal(await owned, "ok");
    assert.deepEqual(await listUnfinishedClaims(database.read), []);
    assert.equal(await countLoginNames(database, domain), many - (await countToldUsers(database)).users);
    assert.equal(await outcome(() => deleteOrganization(deps, caller, { organizationId: front })), "ok");
  });

  test("a claim ends well when its organizations are deactivated or deleted meanwhile", async (t) => {
    const { deps, database, caller, evil, front, crash, runJob } = await setUp(t, open);
    await crash(1);
    for (const organizationId of [evil, front]) {
      assert.equal(await outcome(() => deactivateOrganization(deps, caller, organizationId)), "ok");
    }
    assert.equal(await runJob(), 1);
    await assertDone(database);
    await database.touch(caller, (tx) =>
      tx.run(sql`update organization_domains set unfinished_claim = '{"at":0,"after":""}' where domain = ${domain}`),
    );
    assert.equal(await outcome(() => deleteOrganization(deps, caller, { organizationId: evil })), "ok");
    assert.equal(await runJob(), 1);
    assert.equal(await outcome(() => deleteOrganization(deps, caller, { organizationId: front })), "ok");
    assert.equal(await runJob(), 0);
  });

  test("two that finish a claim at once do it once", async (t) => {
    const { database, crash, runJob } = await setUp(t, open);
    await crash(0);
    await Promise.all([runJob(), runJob(), runJob()]);
    await assertDone(database);
  });

  test("two claims at once, each of names that the users of the other have, both end", async (t) => {
    const { deps, directory, database, caller, evil, front, own } = await setUp(t, open);
    const other = "other.example";
    const userId = await directory.addUser(front, "model-of-front");
    await addManyNames(database, caller, { userId, count: many, domain: other });
    const ownOther = () => outcome(() => addOrganizationDomain(deps, caller, { organizationId: evil, domain: other }));
    assert.deepEqual(await Promise.all([own(front), ownOther()]), ["ok", "ok"]);
    assert.deepEqual(await listUnfinishedClaims(database.read), []);
    assert.equal(await countLoginNames(database, domain), 0);
    assert.equal(await countLoginNames(database, other), 0);
    assert.deepEqual(await countToldUsers(database), { users: 2 * many, messages: 2 * many });
  });

  test("names that their organization forms at the same time are formed with its new domain", async (t) => {
    const { deps, database, caller, evil, front, own } = await setUp(t, open);
    const next = { organizationId: evil, domain: "next.example" };
    await addOrganizationDomain(deps, caller, next);
    assert.deepEqual(await Promise.all([own(front), outcome(() => setPrimaryDomain(deps, caller, next))]), [
      "ok",
      "ok",
    ]);
    assert.deepEqual(await listUnfinishedClaims(database.read), []);
    assert.equal(await countLoginNames(database, domain), 0);
    const others = await database.read.all(sql`select user_id from users where organization_id = ${evil}
      and login_name_key <> username_key || '@next.example'`);
    assert.deepEqual(others, []);
  });

  test("login names of an organization that only claimed the domain are formed again, also where two collide", async (t) => {
    const { directory, deps, database, caller, evil, front, own } = await setUp(t, open);
    const { instanceId } = directory;
    const next = { organizationId: evil, domain: "next.example" };
    await addOrganizationDomain(deps, caller, next);
    // As earlier versions allowed: a primary domain without a proof, which forms login names.
    await database.touch(caller, async (tx) => {
      await tx.run(sql`update organizations set primary_domain = ${domain} where organization_id = ${evil}`);
      await tx.run(sql`update organization_domains set is_primary = 0 where organization_id = ${evil}`);
      await tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
          is_primary, validation_type, created_at, changed_at)
        values (${instanceId}, ${evil}, ${domain}, 1, 0, 1, 'none', 0, 0)`);
      await tx.run(sql`delete from organization_domains where organization_id = ${evil}
        and domain not in (${domain}, ${next.domain})`);
      await tx.run(sql`update users set username = substr(username, 1, 5), username_key = substr(username_key, 1, 5)
        where organization_id = ${evil} and username_key like ${`%@${domain}`}`);
      await tx.run(sql`update users set username = 'n0007@next.example', username_key = 'n0007@next.example'
        where organization_id = ${evil} and username_key = 'n0150'`);
    });
    assert.equal(await own(front), "ok");
    await assertDone(database);
    const names = await database.read.all<{ name: string }>(sql`select login_name_key as "name" from users
      where organization_id = ${evil} and username_key like 'n0007%' order by username_key`);
    assert.equal(names[0]?.name, "n0007@next.example");
    assert.match(names[1]?.name ?? "", /^n0007@next\.example-[^@]+@next\.example$/);
  });
});
