import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type TestContext, test } from "node:test";
import { eachEngine } from "../support/databases.ts";
import { type ServerOptions, startServer } from "../support/server.ts";
import { createSecondInstance, secondHost as host, systemUser } from "../support/system-user.ts";

/** A server that knows the system user `ops`, and a way to sign what `ops` sends. */
async function startWithSystemUser(t: TestContext, options: ServerOptions = {}) {
  const { config, tokenFor } = systemUser(t);
  const server = await startServer(t, { ...options, config });
  return { server, token: (claims: object = {}, key?: KeyObject) => tokenFor(server, claims, key) };
}

eachEngine((_open, engine) => {
  test("a second instance, made through the System API, is fully separate from the first", async (t) => {
    const { server, token } = await startWithSystemUser(t, { engine });
    const { pat } = await createSecondInstance(server, token());
    const names = ({ body }: { body: { result: { name: string }[] } }) => body.result.map(({ name }) => name);
    const search = "/v2/organizations/_search";
    assert.deepEqual(names(await server.rest("POST", search, { body: {} })), ["Doorward"]);
    assert.deepEqual(names(await server.byHost(host, "POST", search, { token: pat, body: {} })), ["Second"]);

    assert.equal((await server.rest("POST", search, { token: pat, body: {} })).status, 401);
    assert.equal((await server.byHost(host, "POST", search, { body: {} })).status, 401);

    const { body: discovery } = await server.byHost(host, "GET", "/.well-known/openid-configuration");
    assert.equal(discovery.issuer, `http://${host}:${server.port}`);
    const keys = async (at: string): Promise<string[]> =>
      (await server.byHost(at, "GET", "/oauth/v2/keys")).body.keys.map(({ kid }: { kid: string }) => kid);
    const [first, second] = [await keys("localhost"), await keys(host)];
    assert.ok(first.length > 0 && second.length > 0);
    assert.deepEqual(
      first.filter((kid) => second.includes(kid)),
      [],
    );
  });
});

eachEngine((_open, engine) => {
  test("a system user lists the administrators of any instance", async (t) => {
    const { server, token } = await startWithSystemUser(t, { engine });
    const { instanceId, pat } = await createSecondInstance(server, token());
    const first = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();
    const list = (id: string, body: object, given = token()) =>
      server.rest("POST", `/system/v1/instances/${id}/members/_search`, { token: given, body });
    const here = (await server.rest("POST", "/admin/v1/members/_search", { body: {} })).body;
    const there = (await server.byHost(host, "POST", "/admin/v1/members/_search", { token: pat, body: {} })).body;
    assert.notDeepEqual(here.result, there.result);
    for (const [id, members] of [
      [first, here],
      [instanceId, there],
    ] as const) {
      const { body, status } = await list(id, {});
      assert.deepEqual([status, body.result, body.details], [200, members.result, members.details]);
    }
    const userId = there.result[0].userId;
    const found = async (id: string) => (await list(id, { queries: [{ userIdQuery: { userId } }] })).body.result;
    assert.deepEqual([(await found(instanceId)).length, (await found(first)).length], [1, 0]);
    assert.equal((await list(instanceId, { queries: [{}] })).body.details[0].id, "filter.invalid");
    assert.equal((await list("404", {})).body.details[0].id, "instance.not_found");
    assert.equal((await list(first, {}, server.ownerToken)).status, 403, "an owner of an instance is no system user");
  });
});

test("only what the system user signed for us, now, opens the System API", async (t) => {
  const { server, token } = await startWithSystemUser(t);
  const ask = async (text: string) =>
    (await server.rest("POST", "/system/v1/instances/_search", { token: text, body: {} })).status;
  assert.equal(await ask(token()), 200);
  const now = Math.floor(server.clock.now / 1000);
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const refused = [
    token({}, stranger),
    token({ iss: "root", sub: "root" }),
    token({ sub: "root" }),
    token({ aud: "https://elsewhere.example" }),
    token({ exp: now - 10 }),
    token({ iat: now - 3_700 }),
    token({ exp: undefined }),
  ];
  for (const text of refused) assert.equal(await ask(text), 401);
  assert.equal(await ask(server.ownerToken), 403, "an owner of an instance does not manage instances");
});

test("an unknown host is 404 in the words of the protocol that was meant", async (t) => {
  const { byHost } = await startServer(t);
  const rest = await byHost("nobody.example", "POST", "/v2/organizations/_search", { body: {} });
  assert.equal(rest.status, 404);
  assert.equal(rest.body.code, 5);
  const oauth = await byHost("nobody.example", "GET", "/oauth/v2/keys");
  assert.equal(oauth.body.error, "invalid_request");
});
