import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../src/base/fault.ts";
import { type Database, sql } from "../../src/database/index.ts";
import { createDomainClaims } from "../../src/domain/contact/index.ts";
import { renameLoginNames } from "../../src/domain/login-name/index.ts";
import {
  addOrganizationDomain,
  generateDomainValidation,
  removeOrganizationDomain,
  setPrimaryDomain,
  verifyOrganizationDomain,
} from "../../src/domain/organization/index.ts";
import { createMachineUser } from "../../src/domain/user-management/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { lockUser } from "../support/databases/locked-user.ts";
import { makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";
import { searchAtOnce } from "../support/operations/search-at-once.ts";

const domain = "shared.example";
// Several batches.
const manyUsers = 250;
// A user who is written after the first batch, and before the last one.
const secondBatch = 150;

/** An organization with many users that proved a domain, and another that proves it later. */
async function setUp(t: Parameters<OpenDatabase>[0], open: OpenDatabase) {
  const directory = await makeDirectory(await open(t));
  const { database } = directory.deps;
  const first = await directory.addOrganization("First");
  const later = await directory.addOrganization("Later");
  const [owner, other] = [await directory.member(first, "ORG_OWNER"), await directory.member(later, "ORG_OWNER")];
  const deps = {
    ...directory.deps,
    requiresDomainProof: async () => true,
    renameLoginNames,
    domainClaims: createDomainClaims(directory.deps),
    domainProofs: { inTurn: searchAtOnce, hasTextRecord: async () => true, hasDocument: async () => true },
  };
  const prove = async (organizationId: string) => {
    const call = organizationId === first ? owner : other;
    await addOrganizationDomain(deps, call, { organizationId, domain });
    await generateDomainValidation(deps, call, { organizationId, domain, type: "dns" });
    return outcome(() => verifyOrganizationDomain(deps, call, { organizationId, domain }));
  };
  await database.change(owner, async (tx) => {
    for (let index = 0; index < manyUsers; index++) {
      const username = index === 0 ? "ceo" : `user-${index}`;
      await createMachineUser(tx, directory.deps, { organizationId: first, username, name: "User" });
    }
  });
  assert.equal(await prove(first), "ok");
  return { deps, database, first, later, owner, other, prove };
}

async function namesIn({ read }: Database, organizationId: string): Promise<number> {
  const row = await read.maybe<{ count: number }>(sql`select count(*) as "count" from users
    where organization_id = ${organizationId} and login_name_key like ${`%@${domain}`}`);
  return Number(row?.count);
}

eachEngine((open) => {
  test("a domain is not given away while names are formed with it", async (t) => {
    const { deps, database, first, later, owner, prove } = await setUp(t, open);
    const set = outcome(() => setPrimaryDomain(deps, owner, { organizationId: first, domain }));
    while ((await namesIn(database, first)) === 0) await new Promise((resolve) => setImmediate(resolve));
    const another = { ...owner, requestId: "another" };
    const removed = await outcome(() => removeOrganizationDomain(deps, another, { organizationId: first, domain }));
    assert.match(removed, /organization\.domain_(changed|is_primary)/);
    assert.equal(await set, "ok");
    assert.match(await prove(later), /domain_taken/);
  });

  test("after a crash the domain is given away once the names are formed again", async (t) => {
    const { deps, database, first, owner } = await setUp(t, open);
    const remove = () => outcome(() => removeOrganizationDomain(deps, owner, { organizationId: first, domain }));
    const crash = database.touch(owner, async (tx) => {
      await renameLoginNames(tx, { organizationId: first, primaryDomain: domain });
      throw new Error("crash");
    });
    await assert.rejects(crash, /crash/);
    assert.ok((await namesIn(database, first)) > manyUsers);
    assert.equal(await remove(), "aborted organization.domain_changed");
    const row = await database.read.maybe<{ domain: string }>(sql`select primary_domain as "domain" from organizations
      where organization_id = ${first}`);
    const back = { organizationId: first, domain: row?.domain ?? "" };
    assert.equal(await outcome(() => setPrimaryDomain(deps, owner, back)), "ok");
    assert.equal(await namesIn(database, first), 0);
    assert.equal(await remove(), "ok");
  });

  test("after a change that was refused between batches, a domain can be removed, and no name keeps it", async (t) => {
    const { deps, database, first, later, owner, prove } = await setUp(t, open);
    const target = { organizationId: first, domain };
    const refused = {
      ...deps,
      renameLoginNames: async (...given: Parameters<typeof renameLoginNames>) => {
        await renameLoginNames(...given);
        throw new Fault("resource_exhausted", "request.too_many");
      },
    };
    assert.match(await outcome(() => setPrimaryDomain(refused, owner, target)), /too_many/);
    assert.ok((await namesIn(database, first)) > manyUsers);
    assert.match(await outcome(() => removeOrganizationDomain(refused, owner, target)), /too_many/);
    assert.equal(await outcome(() => removeOrganizationDomain(deps, owner, target)), "ok");
    assert.equal(await namesIn(database, first), 0);
    assert.equal(await prove(later), "ok");
    const row = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from organizations
      where naming is not null`);
    assert.equal(Number(row?.count), 0);
  });

  test("names are not formed with a domain that the organization lost between batches", async (t) => {
    const { deps, database, first, owner } = await setUp(t, open);
    const goOn = await lockUser(database, { organizationId: first, index: secondBatch });
    const set = setPrimaryDomain(deps, owner, { organizationId: first, domain }).catch((error) => error);
    while ((await namesIn(database, first)) === 0) await new Promise((resolve) => setImmediate(resolve));
    // No operation does that.
    await database.touch(owner, (tx) =>
      tx.run(sql`delete from organization_domains
      where organization_id = ${first} and domain = ${domain} and is_primary = 0`),
    );
    await goOn();
    assert.match((await set).message, /lost the domain/);
    assert.ok((await namesIn(database, first)) < manyUsers);
  });

  test("proving a domain takes it from all login names, even where the username has no domain", async (t) => {
    const { deps, database, first, later, owner, other, prove } = await setUp(t, open);
    await database.touch(owner, async (tx) => {
      await renameLoginNames(tx, { organizationId: first, primaryDomain: domain });
      await tx.run(sql`delete from organization_domains where organization_id = ${first} and domain = ${domain}`);
    });
    assert.ok((await namesIn(database, first)) >= manyUsers);
    assert.equal(await prove(later), "ok");
    assert.equal(await namesIn(database, first), 0);
    const target = { organizationId: later, domain };
    assert.equal(await outcome(() => setPrimaryDomain(deps, other, target)), "ok");
    const create = () =>
      database.change(other, (tx) =>
        createMachineUser(tx, deps, { organizationId: later, username: "ceo", name: "Boss" }),
      );
    assert.equal(await outcome(create), "ok");
  });
});
