import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { fetch } from "../support/http/fetch.ts";
import { countKeyPairs } from "../support/operations/key-pairs.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { eachServer } from "../support/servers/each-server.ts";

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

  test("a certificate for a provider that the caller may not change costs no key pair", async (t) => {
    const server = await start(t);
    const { token } = await addOwnedOrganization(server, "Acme");
    const count = countKeyPairs(t);
    const generate = (path: string, given: object = {}) =>
      server.rest("POST", `${path}/_generate_certificate`, { body: {}, ...given });
    for (let asked = 0; asked < 50; asked++) assert.equal((await generate("/admin/v1/idps/saml/1")).status, 404);
    assert.equal((await generate("/management/v1/idps/saml/1", { token })).status, 404);
    assert.deepEqual(count, { begun: 0, mostAtOnce: 0 });
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
});
