import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type TestContext, test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { signAssertion } from "../support/oidc/assertions.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { createSecondInstance, secondHost as host, systemUser } from "../support/people/system-user.ts";
import { type ServerOptions, startServer } from "../support/servers/server.ts";

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
  test("a system user is not the user of an instance whose id is their name (A9)", async (t) => {
    const { server, token } = await startWithSystemUser(t, { engine });
    const organizationId = await defaultOrganization(server);
    const body = { organizationId, userId: "ops", username: "ops", machine: { name: "ops" } };
    assert.equal((await server.rest("POST", "/v2/users/new", { body })).status, 200);
    const pat = await server.rest("POST", "/v2/users/ops/pats", { body: { expirationDate: "2100-01-01T00:00:00Z" } });
    const me = (of: string) => server.rest("GET", "/auth/v1/users/me", { token: of });
    assert.equal((await me(pat.body.token)).body.user?.id, "ops");
    assert.equal((await me(token())).status, 404);
  });

  test("the owner of a new instance gets a key file that signs in there, and nowhere else", async (t) => {
    const { server, token } = await startWithSystemUser(t, { engine });
    const create = (instanceName: string, machineKey: object) =>
      server.rest("POST", "/system/v1/instances/_create", {
        token: token(),
        body: { instanceName, customDomain: host, machine: { userName: "robot", name: "robot", machineKey } },
      });
    const past = await create("Late", { type: "KEY_TYPE_JSON", expirationDate: "2020-01-01T00:00:00Z" });
    assert.deepEqual([past.status, past.body.details?.[0]?.id], [400, "user.expiry_past"]);
    const { status, body } = await create("Second", { type: "KEY_TYPE_JSON", expirationDate: "2030-01-01T00:00:00Z" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.pat, "", "a token that nobody asked for");
    const file = JSON.parse(Buffer.from(body.machineKey, "base64").toString("utf8"));
    const { type, userId, expirationDate } = file;
    assert.deepEqual({ type, expirationDate }, { type: "serviceaccount", expirationDate: "2030-01-01T00:00:00.000Z" });

    const origin = `http://${host}:${server.port}`;
    const ask = (at: string, audience: string) =>
      server.byHost(at, "POST", "/oauth/v2/token", {
        token: null,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
          assertion: signAssertion({ clock: server.clock, origin: audience }, { ...file, subject: userId }),
          scope: "openid urn:service:iam:org:project:id:service:aud",
        }).toString(),
      });
    const answer = await ask(host, origin);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const members = await server.byHost(host, "POST", "/admin/v1/members/_search", {
      token: answer.body.access_token,
      body: {},
    });
    assert.deepEqual(
      members.body.result.map((member: { userId: string; roles: string[] }) => [member.userId, member.roles]),
      [[userId, ["IAM_OWNER"]]],
    );
    assert.equal((await ask("localhost", server.origin)).body.error, "invalid_grant");
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

eachEngine((_open, engine) => {
  test("a system user sets the feature that the first generation knows, in one instance", async (t) => {
    const { server, token } = await startWithSystemUser(t, { engine });
    const { instanceId, pat } = await createSecondInstance(server, token());
    const set = (id: string, body: object) =>
      server.rest("PUT", `/system/v1/instances/${id}/features/INSTANCE_FEATURE_LOGIN_DEFAULT_ORG`, {
        token: token(),
        body,
      });
    const flag = async (at: string, as?: string) =>
      (await server.byHost(at, "GET", "/v2/features/instance", as === undefined ? {} : { token: as })).body
        .loginDefaultOrg;
    const on = await set(instanceId, { bool: true });
    assert.deepEqual([on.status, on.body.details?.resourceOwner], [200, instanceId], JSON.stringify(on.body));
    assert.deepEqual(await flag(host, pat), { enabled: true, source: "SOURCE_INSTANCE" });
    assert.deepEqual(await flag("localhost"), { enabled: false, source: "SOURCE_UNSPECIFIED" });
    await set(instanceId, { bool: false });
    assert.deepEqual(await flag(host, pat), { enabled: false, source: "SOURCE_INSTANCE" });
    assert.equal((await set("404", { bool: true })).body.details[0].id, "instance.not_found");
    assert.equal((await set(instanceId, {})).body.details[0].id, "field.required");
  });
});

eachEngine((_open, engine) => {
  test("a custom domain reaches its instance from one moment to the next, by both generations", async (t) => {
    const { server, token } = await startWithSystemUser(t, { engine });
    const { instanceId, pat } = await createSecondInstance(server, token());
    const first = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();
    const call = (method: string, body: object, as = token()) =>
      server.connect(`service.instance.v2.InstanceService/${method}`, { instanceId, ...body }, { token: as });
    const system = (method: string, path: string, body?: object) =>
      server.rest(method, `/system/v1${path}`, { token: token(), ...(body && { body }) });
    const slug = ({ body }: { body: { details?: { id?: string; debug?: { id: string } }[] } }) =>
      body.details?.[0]?.debug?.id ?? body.details?.[0]?.id;
    const issuerAt = async (at: string) => {
      const { status, body } = await server.byHost(at, "GET", "/.well-known/openid-configuration");
      return status === 200 ? body.issuer : status;
    };
    const nameAt = async (at: string) =>
      (await server.byHost(at, "POST", "/v2/organizations/_search", { token: pat, body: {} })).body.result?.[0]?.name;
    const hosts = async (filters: object[] = []) =>
      (
        (
          await call("ListCustomDomains", {
            filters,
            sortingColumn: "DOMAIN_FIELD_NAME_DOMAIN",
            pagination: { asc: true },
          })
        ).body.domains ?? []
      ).map(
        ({ domain, primary = false }: { domain: string; primary?: boolean }) => `${domain}${primary ? " primary" : ""}`,
      );
    const ours = `http://${host}:${server.port}`;

    for (const [add, remove, fresh] of [
      [
        () => call("AddCustomDomain", { customDomain: "Login.Acme.example" }),
        () => call("RemoveCustomDomain", { customDomain: "login.acme.example" }),
        "login.acme.example",
      ],
      [
        () => system("POST", `/instances/${instanceId}/domains`, { domain: "older.acme.example" }),
        () => system("DELETE", `/instances/${instanceId}/domains/older.acme.example`),
        "older.acme.example",
      ],
    ] as const) {
      assert.equal(await issuerAt(fresh), 404);
      assert.equal((await system("POST", `/domains/${fresh}/_exists`, {})).body.exists, false);
      const added = await add();
      assert.equal(added.status, 200, JSON.stringify(added.body));
      assert.equal((await system("POST", `/domains/${fresh}/_exists`, {})).body.exists, true);
      assert.deepEqual([await issuerAt(fresh), await nameAt(fresh)], [ours, "Second"]);
      assert.equal(slug(await add()), "instance.domain_taken");
      const stolen = await call("AddCustomDomain", { instanceId: first, customDomain: fresh });
      assert.equal(slug(stolen), "instance.domain_taken", "a host reaches one instance");
      const listed = await system("POST", `/instances/${instanceId}/domains/_search`, {
        queries: [{ domainQuery: { domain: fresh } }],
      });
      assert.deepEqual([listed.body.details.totalResult, listed.body.result[0].domain], [1, fresh]);

      const primary = await system("POST", `/instances/${instanceId}/domains/_set_primary`, { domain: fresh });
      assert.equal(primary.status, 200, JSON.stringify(primary.body));
      assert.deepEqual(await hosts([{ primaryFilter: true }]), [`${fresh} primary`]);
      assert.equal(await issuerAt(host), `http://${fresh}:${server.port}`, "the issuer is the primary host's");
      assert.equal(slug(await remove()), "instance.domain_is_primary");
      await system("POST", `/instances/${instanceId}/domains/_set_primary`, { domain: host });
      assert.equal((await remove()).status, 200);
      assert.deepEqual([await issuerAt(fresh), (await remove()).status], [404, 200]);
      assert.deepEqual(await hosts(), [`${host} primary`]);
    }
    assert.equal(slug(await call("AddCustomDomain", { customDomain: "a b" })), "instance.domain_invalid");
    assert.equal((await call("AddCustomDomain", { customDomain: "x.example" }, server.ownerToken)).status, 403);

    const renamed = await call("UpdateInstance", { instanceName: "Renamed" });
    assert.ok(renamed.body.changeDate, JSON.stringify(renamed.body));
    assert.equal((await call("GetInstance", {})).body.instance.name, "Renamed");
    await call("AddTrustedDomain", { trustedDomain: "links.example" });
    assert.ok((await call("RemoveTrustedDomain", { trustedDomain: "links.example" })).body.deletionDate);
    assert.equal((await call("ListTrustedDomains", {})).body.trustedDomain, undefined);

    const listed = async () =>
      (await server.connect("service.instance.v2.InstanceService/ListInstances", {}, { token: token() })).body;
    assert.equal((await listed()).pagination.totalResult, "2");
    const gone = await call("DeleteInstance", {});
    assert.ok(gone.body.deletionDate, JSON.stringify(gone.body));
    assert.deepEqual([await issuerAt(host), (await listed()).pagination.totalResult], [404, "1"]);
    assert.equal(slug(await call("GetInstance", {})), "instance.not_found");
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
