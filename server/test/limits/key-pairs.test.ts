import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { Fault } from "../../src/base/fault.ts";
import { createLink, openLink, providersOf, uploadSaml } from "../setup-link/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { samlMetadata } from "../support/identity-provider/saml-metadata.ts";
import { countKeyPairs } from "../support/operations/key-pairs.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const addKey = "service.user.v2.UserService/AddKey";

eachServer((start) => {
  test("key pairs are generated one at a time, and another organization's between those of a flood", async (t) => {
    const server = await start(t);
    const flooder = await addOwnedOrganization(server, "Flood");
    const other = await addOwnedOrganization(server, "Other");
    const count = countKeyPairs(t);
    const done: string[] = [];
    const add = async ({ userId, token }: { readonly userId: string; readonly token: string }) => {
      const { status, body } = await server.connect(addKey, { userId }, { token });
      assert.equal(status, 200, JSON.stringify(body));
      done.push(userId);
    };
    await Promise.all([...Array.from({ length: 6 }, () => add(flooder)), add(other)]);
    assert.deepEqual(count, { begun: 7, mostAtOnce: 1 });
    assert.ok(done.indexOf(other.userId) < 6, done.join(" "));
  });

  test("a certificate for a provider that the caller may not change, or a key that is not used, costs no key pair", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const count = countKeyPairs(t);
    const generate = (path: string, given: object = {}) =>
      server.rest("POST", `${path}/_generate_certificate`, { body: {}, ...given });
    for (let asked = 0; asked < 50; asked++) assert.equal((await generate("/admin/v1/idps/saml/1")).status, 404);
    assert.equal((await generate("/management/v1/idps/saml/1", { token })).status, 404);

    const { projectId } = await must(server, "service.project.v2.ProjectService/CreateProject", {
      organizationId,
      name: "Shop",
    });
    const applications = "service.application.v2.ApplicationService";
    const { applicationId } = await must(server, `${applications}/CreateApplication`, {
      projectId,
      name: "API",
      apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
    });
    const key = { projectId, applicationId, expirationDate: "2099-01-01T00:00:00Z" };
    const create = () => server.connect(`${applications}/CreateApplicationKey`, key, { token });
    assert.equal((await create()).body.code, "failed_precondition");
    assert.deepEqual(count, { begun: 0, mostAtOnce: 0 });
    await must(server, `${applications}/UpdateApplication`, {
      projectId,
      applicationId,
      apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
    });
    assert.equal((await create()).status, 200);
    assert.equal(count.begun, 1);
  });

  test("administrators who begin the rotation of the SAML key at once have one key made", async (t) => {
    const server = await start(t);
    assert.equal((await fetch(`${server.origin}/saml/v2/metadata`)).status, 200);
    const count = countKeyPairs(t);
    const begin = () => server.rest("POST", "/v2/saml_keys/rotation", { body: {} });
    const answers = await Promise.all(Array.from({ length: 8 }, begin));
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
    const [id] = answers.map(({ body }) => body.key.id);
    assert.ok(answers.every(({ body }) => body.key.id === id));
    const { keys } = (await server.rest("GET", "/v2/saml_keys")).body;
    const [active] = keys.filter(({ state }: { state: string }) => state === "SAML_KEY_STATE_ACTIVE");
    const replace = () => server.rest("POST", `/v2/saml_keys/${active.id}/replace`, { body: {} });
    const replaced = await Promise.all(Array.from({ length: 8 }, replace));
    assert.equal(replaced.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(count, { begun: 2, mostAtOnce: 1 });
  });

  test("a caller has a number of key pairs at once, and is told when there is another one", async (t) => {
    const server = await start(t);
    const { organizationId, userId, token } = await addOwnedOrganization(server, "Acme");
    const { budgets, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const of = { instanceId, now: server.clock.now };
    assert.equal(budgets.take("key_pairs_of_caller", { ...of, subject: userId }, 119), 0);
    const count = countKeyPairs(t);
    const add = (as: string) => server.connect(addKey, { userId }, { token: as });
    assert.equal((await add(token)).status, 200);
    const refused = await add(token);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "5"]);
    const colleague = await addServiceAccount(server, organizationId, "colleague");
    const expirationDate = "2099-01-01T00:00:00Z";
    const own = () => server.connect(addKey, { userId: colleague.userId, expirationDate }, { token: colleague.token });
    assert.equal((await own()).status, 200, "a colleague has a budget of their own");
    assert.equal(budgets.take("key_pairs_of_organization", { ...of, subject: organizationId }, 238), 0);
    assert.equal((await own()).status, 429, "and both have that of their organization");
    server.clock.now += minutes(1);
    assert.equal((await add(token)).status, 200);
    assert.deepEqual(count, { begun: 3, mostAtOnce: 1 });
  });

  test("a key pair that was generated is paid for, whatever refuses the change that stores it", async (t) => {
    const server = await start(t);
    const { budgets, database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const ofInstance = { instanceId, now: server.clock.now, subject: "" };
    assert.equal(budgets.take("key_pairs_of_instance", ofInstance, 240), 0, "there is room for so many");
    budgets.giveBack("key_pairs_of_instance", ofInstance, 240);
    const { change } = database;
    const count = countKeyPairs(t);
    database.change = () => Promise.reject(new Fault("resource_exhausted", "request.too_many"));
    const key = { rsa: { bits: "RSA_BITS_2048", hasher: "RSA_HASHER_SHA256" } };
    assert.equal((await server.connect("service.webkey.v2.WebKeyService/CreateWebKey", key)).status, 429);
    database.change = change;
    assert.equal(count.begun, 1);
    assert.ok(budgets.take("key_pairs_of_instance", ofInstance, 240) > 0);
  });

  test("what gets a key pair decides who pays: guests of an organization have a part, and no home is drained", async (t) => {
    const server = await start(t);
    const home = await addOwnedOrganization(server, "Home");
    const { organizationId, token, userId } = await addOwnedOrganization(server, "Acme");
    await appoint(server, home, { organizationId }, ["ORG_OWNER"]);
    const roleless = await addServiceAccount(server, organizationId, "roleless");
    const { budgets, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    type Name = "caller" | "guest" | "guests" | "organization" | "instance";
    const ofBudget = (subject: string) => ({ instanceId, now: server.clock.now, subject });
    /** Whether a budget has room for so many. */
    const hasRoom = (name: Name, subject: string, amount: number): boolean => {
      const isThere = budgets.take(`key_pairs_of_${name}`, ofBudget(subject), amount) === 0;
      if (isThere) budgets.giveBack(`key_pairs_of_${name}`, ofBudget(subject), amount);
      return isThere;
    };
    const add = async (of: string, as: string): Promise<number> =>
      (await server.connect(addKey, { userId: of, expirationDate: "2099-01-01T00:00:00Z" }, { token: as })).status;

    assert.equal(await add(roleless.userId, home.token), 200);
    assert.ok(hasRoom("organization", home.organizationId, 240), "elsewhere, at no expense of the home");
    assert.ok(!hasRoom("organization", organizationId, 240) && hasRoom("organization", organizationId, 239));
    assert.ok(!hasRoom("guests", organizationId, 120), "as a guest");
    assert.equal(await add(roleless.userId, roleless.token), 200);
    assert.ok(!hasRoom("guests", organizationId, 119) && hasRoom("guests", organizationId, 118), "without a role");
    assert.equal(await add(userId, token), 200);
    assert.ok(hasRoom("guests", organizationId, 118), "an administrator at home is none");

    // One guest has a part of what all have, and all have a part of what the organization has.
    assert.equal(budgets.take("key_pairs_of_guest", ofBudget(`${organizationId}\n${home.userId}`), 59), 0);
    assert.equal(await add(roleless.userId, home.token), 429);
    assert.equal(await add(home.userId, home.token), 200, "at home");
    assert.equal(await add(roleless.userId, roleless.token), 200);
    assert.equal(budgets.take("key_pairs_of_guests", ofBudget(organizationId), 117), 0);
    assert.equal(await add(roleless.userId, roleless.token), 429);
    assert.equal(await add(roleless.userId, token), 200);
    // What is refused for one budget is taken from none.
    assert.ok(hasRoom("caller", roleless.userId, 118), "two of them");

    const before = hasRoom("instance", "", 240);
    await must(server, "service.webkey.v2.WebKeyService/CreateWebKey", { ecdsa: { curve: "ECDSA_CURVE_P256" } });
    assert.ok(before && !hasRoom("instance", "", 240) && hasRoom("instance", "", 239));
  });

  test("the holder of a setup link pays with the link for certificates, and for none that is refused", async (t) => {
    const server = await start(t);
    const { organizationId, token, userId } = await addOwnedOrganization(server, "Acme");
    const parts = ["SETUP_PART_IDENTITY_PROVIDER"];
    const { browser } = await openLink(server, await createLink(server, organizationId, { token, parts }));
    const { budgets, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const of = { instanceId, now: server.clock.now };
    assert.equal(budgets.take("key_pairs_of_caller", { ...of, subject: userId }, 120), 0, "all of its creator's");
    const count = countKeyPairs(t);
    const add = (by: typeof browser, name: string, metadata: string) => uploadSaml(server, by, { name, metadata });
    await add(browser, "", samlMetadata());
    await add(browser, "Acme", samlMetadata({ location: "ftp://saml.example/sso" }));
    await add(browser, "Acme\u202e", samlMetadata());
    assert.deepEqual(await providersOf(server, organizationId), []);
    assert.equal(count.begun, 0);
    const made = async () => (await providersOf(server, organizationId)).length === 1;
    const remove = async (by: typeof browser) =>
      by.submit(await by.open("/ui/setup-link/tasks"), {}, { action: "/remove" });
    for (let round = 1; round <= 4; round++) {
      await add(browser, "Acme", samlMetadata());
      assert.ok(await made(), `${round}`);
      await remove(browser);
    }
    await add(browser, "Acme", samlMetadata());
    assert.ok(!(await made()), "the link has no more");
    const second = (await openLink(server, await createLink(server, organizationId, { parts }))).browser;
    await add(second, "Acme", samlMetadata());
    assert.ok(await made(), "another link has");
    await remove(second);
    assert.equal(count.begun, 5);

    // All links and other guests have a part of what the organization has.
    assert.equal(budgets.take("key_pairs_of_guests", { ...of, subject: organizationId }, 105), 0);
    await add(second, "Acme", samlMetadata());
    assert.ok(!(await made()));
    const body = { name: "Own", metadataXml: Buffer.from(samlMetadata()).toString("base64") };
    const headers = { "x-service-orgid": organizationId };
    const own = await server.rest("POST", "/management/v1/idps/saml", { headers, body });
    assert.equal(own.status, 200, JSON.stringify(own.body));
  });
});

const must = async (server: TestServer, method: string, body: object): Promise<RestAnswer["body"]> => {
  const answer = await server.connect(method, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
