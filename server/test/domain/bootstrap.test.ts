import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudgets } from "../../src/base/budget/budgets.ts";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { createPasswordHasher } from "../../src/base/password/password-hash.ts";
import { systemRandom } from "../../src/base/random.ts";
import { hashSecret, Secret } from "../../src/base/secret.ts";
import { createVault } from "../../src/base/vault.ts";
import type { Database } from "../../src/database/index.ts";
import { loadAccess } from "../../src/domain/administrator-access/index.ts";
import { findPersonalAccessToken } from "../../src/domain/credential/index.ts";
import { createFindInstanceByHost } from "../../src/domain/instance/index.ts";
import { findUserByLoginName } from "../../src/domain/login-name/index.ts";
import { findOrganization } from "../../src/domain/organization/index.ts";
import { findProject } from "../../src/domain/project/index.ts";
import {
  type BootstrapInput,
  bootstrap,
  completeSetup,
  createAdministratorOnHost,
  isSetupOpen,
  issueSetupLink,
  operatorCall,
  recoverAdministrator,
} from "../../src/domain/setup/index.ts";
import { endAccessOfUser } from "../../src/domain/sign-out/index.ts";
import { changeUserState, findUser } from "../../src/domain/user/index.ts";
import { eachEngine, makeLocation } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";
import { directoryDeps } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";
import { unlimitedMessages } from "../support/operations/unlimited-messages.ts";
import { cheapPasswords } from "../support/servers/password-cost.ts";

const passwordHasher = createPasswordHasher({
  concurrency: 2,
  queueLimit: 100,
  random: systemRandom,
  cost: cheapPasswords,
});
const vault = createVault({
  writing: parseMasterKey(generateMasterKey(systemRandom)),
  reading: [],
  random: systemRandom,
});
const depsOf = (database: Database) => ({
  ...directoryDeps(database),
  passwordHasher,
  budgets: createBudgets(),
  messageBudgets: unlimitedMessages,
  vault,
});

const input: BootstrapInput = { host: "id.example.test", organizationName: "Acme Inc", defaultLanguage: "de" };
const administrator = {
  username: "root",
  email: "root@acme.example",
  password: { value: new Secret("correct horse battery staple"), isChangeRequired: true },
};
const person = {
  username: "jane",
  profile: { givenName: "Jane", familyName: "Doe" },
  email: "jane@acme.example",
  password: "correct horse battery staple",
};

eachEngine((open, engine) => {
  test("an empty database gets an instance with organization, system project and the requested users", async (t) => {
    const deps = depsOf(await open(t));
    const { read } = deps.database;
    const made = await bootstrap(deps, { ...input, administrator, machine: { hasToken: true, hasKey: false } });
    assert.equal(made.isNew, true);
    const { instanceId, defaultOrganizationId, systemProjectId, primaryHost } = made.instance;
    assert.equal(primaryHost, "id.example.test");
    const organization = await findOrganization(read, instanceId, defaultOrganizationId);
    assert.equal(organization?.primaryDomain, "acme-inc.id.example.test");
    assert.equal((await findProject(read, instanceId, systemProjectId))?.organizationId, defaultOrganizationId);

    const found = await findUserByLoginName(read, instanceId, "root@acme-inc.id.example.test");
    assert.equal((await findUserByLoginName(read, instanceId, "root"))?.userId, found?.userId);
    const user = await findUser(read, instanceId, found?.userId ?? "");
    assert.ok(user?.kind === "human" && user.email.isVerified && user.isPasswordChangeRequired);
    const access = await loadAccess(read, instanceId, user.userId);
    assert.ok(access.allows("iam.write", {}));

    const token = made.personalAccessToken;
    assert.ok(token);
    const machine = await findPersonalAccessToken(read, instanceId, { tokenHash: hashSecret(token) });
    assert.ok((await loadAccess(read, instanceId, machine?.userId ?? "")).allows("iam.write", {}));
  });

  test("a database that has an instance stays as it is, whatever is asked for", async (t) => {
    const deps = depsOf(await open(t));
    const first = await bootstrap(deps, input);
    const again = await bootstrap(deps, {
      ...input,
      host: "other.example.test",
      administrator,
      machine: { hasToken: true, hasKey: false },
    });
    assert.equal(again.isNew, false);
    assert.equal(again.instance.instanceId, first.instance.instanceId);
    assert.equal(again.personalAccessToken, undefined);
    assert.equal(await findUserByLoginName(deps.database.read, first.instance.instanceId, "root"), undefined);
  });

  test("when three nodes start at once, one makes the instance and the others find it", async (t) => {
    const location = await makeLocation(t, engine);
    // SQLite belongs to one process, so there the three are callers of one node.
    const first = await open(t, { at: location });
    const databases =
      engine === "sqlite"
        ? [first, first, first]
        : [first, await open(t, { at: location }), await open(t, { at: location })];
    const made = await Promise.all(
      databases.map((database) =>
        bootstrap(depsOf(database), { ...input, administrator, machine: { hasToken: true, hasKey: false } }),
      ),
    );
    assert.equal(made.filter(({ isNew }) => isNew).length, 1);
    assert.equal(new Set(made.map(({ instance }) => instance.instanceId)).size, 1);
    assert.equal(made.filter(({ personalAccessToken }) => personalAccessToken !== undefined).length, 1);
  });

  test("the setup link makes one administrator, once", async (t) => {
    const deps = depsOf(await open(t));
    const { instance } = await bootstrap(deps, input);
    const call = testCall({ instanceId: instance.instanceId });
    assert.equal(await isSetupOpen(deps, call), false);
    const old = await issueSetupLink(deps, call);
    const secret = await issueSetupLink(deps, call);
    assert.ok(old && secret);
    assert.equal(await isSetupOpen(deps, call), true);
    const complete = (given: Secret, now = call.now) =>
      outcome(() => completeSetup(deps, { ...call, now }, { ...person, secret: given }));
    assert.equal(await complete(old), "not_found setup.closed");
    assert.equal(await complete(secret, call.now + 15 * 60_000), "not_found setup.closed");
    const attempts = await Promise.all(Array.from({ length: 10 }, () => complete(secret)));
    assert.equal(attempts.filter((answer) => answer === "ok").length, 1);
    assert.deepEqual(new Set(attempts), new Set(["ok", "not_found setup.closed"]));
    const user = await findUserByLoginName(deps.database.read, instance.instanceId, "jane");
    assert.ok((await loadAccess(deps.database.read, instance.instanceId, user?.userId ?? "")).allows("iam.write", {}));
  });

  test("the setup link stays valid after a refused password or name", async (t) => {
    const deps = depsOf(await open(t));
    const { instance } = await bootstrap(deps, input);
    const call = testCall({ instanceId: instance.instanceId });
    const secret = await issueSetupLink(deps, call);
    assert.ok(secret);
    const complete = (given: object) => outcome(() => completeSetup(deps, call, { ...person, ...given, secret }));
    assert.equal(await complete({ password: "short" }), "invalid_argument user.password_too_short");
    assert.equal(await complete({ username: "" }), "invalid_argument user.username_invalid");
    assert.equal(await complete({ email: "nobody" }), "invalid_argument user.email_invalid");
    assert.equal(await complete({}), "ok");
  });

  test("the setup link allows five guesses", async (t) => {
    const deps = depsOf(await open(t));
    const { instance } = await bootstrap(deps, input);
    const call = testCall({ instanceId: instance.instanceId });
    const secret = await issueSetupLink(deps, call);
    assert.ok(secret);
    const complete = (given: Secret) => outcome(() => completeSetup(deps, call, { ...person, secret: given }));
    for (let guess = 0; guess < 5; guess++) {
      assert.equal(await complete(new Secret(`guess ${guess}`)), "not_found setup.closed");
    }
    assert.equal(await complete(secret), "not_found setup.closed");
  });

  test("once there is a first administrator, setup is closed permanently, even after they are deleted", async (t) => {
    const deps = depsOf(await open(t));
    const { instance } = await bootstrap(deps, { ...input, administrator });
    const call = testCall({ instanceId: instance.instanceId });
    assert.equal(await issueSetupLink(deps, call), undefined);
    assert.equal(await isSetupOpen(deps, call), false);
    const guess = outcome(() => completeSetup(deps, call, { ...person, secret: new Secret("guess") }));
    assert.equal(await guess, "not_found setup.closed");
  });

  test("an operator with access to the host creates an administrator, and lets a locked-out one in again", async (t) => {
    const deps = {
      ...depsOf(await open(t)),
      mayActFor: async () => true,
      isFresh: async () => true,
      refuseLossOfOwner: async () => {},
      endAccessOfUser,
    };
    const { instance } = await bootstrap(deps, input);
    const operator = operatorCall(instance.instanceId, testCall().now);
    const { userId } = await createAdministratorOnHost(deps, operator, { ...person, isPasswordChangeRequired: false });
    assert.equal(await isSetupOpen(deps, operator), false);
    await changeUserState(deps, operator, { userId, move: "deactivate" });
    await recoverAdministrator(deps, operator, { loginName: "jane", password: "another long passphrase" });
    const user = await findUser(deps.database.read, instance.instanceId, userId);
    assert.ok(user?.kind === "human" && user.state === "active" && user.isPasswordChangeRequired);
    const unknown = outcome(() => recoverAdministrator(deps, operator, { loginName: "joe", password: "x" }));
    assert.equal(await unknown, "not_found user.not_found");
  });

  test("an instance is found by its hosts in any spelling, at once when it was found before", async (t) => {
    const database = await open(t);
    const deps = depsOf(database);
    const find = createFindInstanceByHost({ database });
    assert.equal(await find("id.example.test"), undefined);
    const { instance } = await bootstrap(deps, input);
    assert.equal(await find("id.example.test:80:80"), undefined);
    for (const host of ["id.example.test", "ID.example.test:8080", "id.example.test."]) {
      assert.equal((await find(host))?.instanceId, instance.instanceId, host);
    }
    assert.ok(!(find("id.example.test") instanceof Promise));
    for (const host of [
      "",
      "example.test",
      "id.example.test.evil.test",
      "id.example.test@evil.test",
      "id.example.test/x",
    ]) {
      assert.equal(await find(host), undefined, host);
    }
  });
});
