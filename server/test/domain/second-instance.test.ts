import assert from "node:assert/strict";
import { test } from "node:test";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { createPasswordHasher } from "../../src/base/password/password-hash.ts";
import { systemRandom } from "../../src/base/random.ts";
import { createVault } from "../../src/base/vault.ts";
import type { Call } from "../../src/call/index.ts";
import type { Database } from "../../src/database/index.ts";
import { loadAccess } from "../../src/domain/administrator-access/index.ts";
import { listAdministrators } from "../../src/domain/administrator-search/index.ts";
import { createFindInstanceByHost, getInstance, listInstances } from "../../src/domain/instance/index.ts";
import { findUserByLoginName } from "../../src/domain/login-name/index.ts";
import { getOrganization, listOrganizations } from "../../src/domain/organization/index.ts";
import { setSettings, settingsKinds } from "../../src/domain/settings/index.ts";
import { bootstrap, createInstanceWithOwner } from "../../src/domain/setup/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Directory, directoryDeps, makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";
import { cheapPasswords } from "../support/servers/password-cost.ts";

const page = { offset: 0, limit: 100 };
const vault = createVault({
  writing: parseMasterKey(generateMasterKey(systemRandom)),
  reading: [],
  random: systemRandom,
});
const passwordHasher = createPasswordHasher({
  concurrency: 2,
  queueLimit: 10,
  random: systemRandom,
  cost: cheapPasswords,
});

/** The first instance, and a second one made through the System API with the same names everywhere. */
async function begin(database: Database) {
  const first = await makeDirectory(database, { host: "one.example.test" });
  const deps = { ...first.deps, vault, passwordHasher, baseHost: "one.example.test" };
  const made = await createInstanceWithOwner(deps, first.system, {
    name: "Test",
    organizationName: "Home",
    customDomain: "Two.example.test",
    defaultLanguage: "de",
    owner: {
      username: "owner",
      profile: { givenName: "Olga", familyName: "Owner" },
      email: { address: "owner@mail.example.test", isVerified: true },
      password: { password: "correct horse battery staple", isChangeRequired: false },
    },
  });
  return { first, deps, made, call: await ownerCall(first, made.instanceId, made.ownerUserId ?? "") };
}

async function ownerCall(first: Directory, instanceId: string, userId: string): Promise<Call> {
  const access = await loadAccess(first.deps.database.read, instanceId, userId);
  return { ...first.nobody, instanceId, caller: { userId, organizationId: "", access } };
}

eachEngine((open) => {
  test("a second instance has its own host, users, names, settings and lists", async (t) => {
    const { first, deps, made, call } = await begin(await open(t));
    const { database } = deps;
    const find = createFindInstanceByHost({ database });
    const hosts = ["one.example.test", "two.example.test"];
    const found = await Promise.all(hosts.map(async (host) => (await find(host))?.instanceId));
    assert.deepEqual(found, [first.instanceId, made.instanceId]);

    const owner = async (instanceId: string) => (await findUserByLoginName(database.read, instanceId, "owner"))?.userId;
    assert.deepEqual([await owner(first.instanceId), await owner(made.instanceId)], [first.ownerId, made.ownerUserId]);

    await first.addOrganization("Only first");
    const search = { filters: [], orderBy: "name", isDescending: false, page } as const;
    const { organizations, total } = await listOrganizations(deps, call, search);
    assert.deepEqual([organizations.map(({ name }) => name), total], [["Home"], 1]);
    const administrators = await listAdministrators(deps, call, { ...search, orderBy: "created_at" });
    assert.deepEqual(
      administrators.administrators.map(({ user }) => user.userId),
      [made.ownerUserId],
    );

    const settings = { ...settingsKinds.lockout.defaults, maxOtpAttempts: 3 };
    await setSettings(deps, call, { kind: "lockout", settings });
    const attempts = async (instanceId: string) =>
      (await deps.settings.get("lockout", { instanceId })).settings.maxOtpAttempts;
    assert.deepEqual([await attempts(first.instanceId), await attempts(made.instanceId)], [10, 3]);
  });

  test("the owner of one instance is unknown in the other, and cannot read anything of it by id", async (t) => {
    const { first, deps, made, call } = await begin(await open(t));
    const intruder = await ownerCall(first, first.instanceId, made.ownerUserId ?? "");
    assert.equal(intruder.caller?.access.positions.length, 0);
    assert.equal(
      await outcome(() => getOrganization(deps, call, first.organizationId)),
      "not_found organization.not_found",
    );
    assert.equal(
      await outcome(() => getOrganization(deps, intruder, first.organizationId)),
      "not_found organization.not_found",
    );
    assert.equal(await outcome(() => getInstance(deps, call, first.instanceId)), "not_found instance.not_found");
    assert.equal((await getInstance(deps, call, undefined)).instanceId, made.instanceId);
  });

  test("a host reaches one instance, whichever caller asks for it", async (t) => {
    const { first, deps } = await begin(await open(t));
    const again = { name: "Third", defaultLanguage: "en" } as const;
    const taken = outcome(() =>
      createInstanceWithOwner(deps, first.system, { ...again, customDomain: "TWO.example.test." }),
    );
    assert.equal(await taken, "already_exists instance.domain_taken");
    const wrong = outcome(() => createInstanceWithOwner(deps, first.system, { ...again, customDomain: "a b" }));
    assert.equal(await wrong, "invalid_argument instance.domain_invalid");
    const forOwner = outcome(async () => createInstanceWithOwner(deps, await first.as(first.ownerId), again));
    assert.equal(await forOwner, "permission_denied permission.missing");
    const { instanceId } = await createInstanceWithOwner(deps, first.system, again);
    const search = { filters: [], orderBy: "created_at", isDescending: true, page } as const;
    const { instances, total } = await listInstances(deps, first.system, search);
    assert.equal(total, 3);
    const made = instances.find((instance) => instance.instanceId === instanceId);
    assert.equal(made?.primaryHost, `${instanceId}.one.example.test`);
    const byDomain = await listInstances(deps, first.system, {
      ...search,
      filters: [{ by: "domains", domains: ["two.example.test"] }],
    });
    assert.equal(byDomain.total, 1);
  });

  test("another configured base URL becomes the primary host of the first instance, unless it is taken", async (t) => {
    const { first, deps, made } = await begin(await open(t));
    const start = (host: string) =>
      bootstrap({ ...directoryDeps(deps.database), ...deps }, { host, organizationName: "X", defaultLanguage: "en" });
    const moved = await start("new.example.test");
    assert.deepEqual(
      [moved.instance.instanceId, moved.instance.primaryHost, moved.isNew],
      [first.instanceId, "new.example.test", false],
    );
    const find = createFindInstanceByHost({ database: deps.database });
    assert.equal((await find("one.example.test"))?.instanceId, first.instanceId);
    assert.equal((await start("two.example.test")).instance.primaryHost, "new.example.test");
    assert.equal((await find("two.example.test"))?.instanceId, made.instanceId);
    assert.equal((await start("one.example.test")).instance.primaryHost, "one.example.test");
  });
});
