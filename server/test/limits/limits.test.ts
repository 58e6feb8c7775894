import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Code, type ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { onPostgres } from "../support/databases/databases.ts";
import { addPerson } from "../support/people/people.ts";
import { createSecondInstance, secondHost as host, systemUser } from "../support/people/system-user.ts";
import { eachServer, type Start } from "../support/servers/each-server.ts";
import { type RestAnswer, startServer } from "../support/servers/server.ts";

/** A server with a second instance, and what the operator does with the limits of any. */
async function begin(t: TestContext, start: Start) {
  const { config, tokenFor } = systemUser(t);
  const server = await start(t, { config });
  const token = () => tokenFor(server);
  const { instanceId, pat } = await createSecondInstance(server, token());
  const first = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();
  const put = (path: string, body: object, as: string = token()) =>
    server.rest("PUT", `/system/v1/instances/${path}`, { token: as, body });
  return {
    server,
    token,
    first,
    second: instanceId,
    pat,
    set: (id: string, body: object, as?: string) => put(`${id}/limits`, body, as),
    setMany: (limits: object[], as?: string) => put("limits/_bulk", { limits }, as),
    reset: (id: string, as: string = token()) =>
      server.rest("DELETE", `/system/v1/instances/${id}/limits`, { token: as }),
    /** The names of organizations that the owner of the second instance sees. */
    read: () => server.byHost(host, "POST", "/v2/organizations/_search", { token: pat, body: {} }),
    events: async (body: object = {}) =>
      (await server.byHost(host, "POST", "/admin/v1/events/_search", { token: pat, body })).body.events as {
        type: { type: string };
        payload?: object;
      }[],
  };
}

const slug = ({ body }: RestAnswer): string | undefined => body.details?.[0]?.debug?.id ?? body.details?.[0]?.id;

eachServer((start) => {
  test("a blocked instance answers nothing but the System API, in the words of each protocol", async (t) => {
    const { server, token, first, second, pat, set, read } = await begin(t, start);
    const connect = (method: string, as: string) =>
      server.byHost(host, "POST", `/${method}`, { token: as, body: {}, headers: { "connect-protocol-version": "1" } });
    assert.deepEqual(
      [(await read()).status, (await connect("service.org.v2.OrganizationService/ListOrganizations", pat)).status],
      [200, 200],
    );
    const login = await server.byHost(host, "GET", "/ui/login", { token: null });
    assert.notEqual(login.status, 429);

    const blocked = await set(second, { block: true });
    assert.deepEqual(
      [blocked.status, blocked.body.details?.resourceOwner],
      [200, second],
      JSON.stringify(blocked.body),
    );
    const rest = await read();
    assert.deepEqual([rest.status, rest.body.code, slug(rest)], [429, 8, "instance.blocked"]);
    assert.equal(rest.headers.get("retry-after"), "3600");
    const called = await connect("service.org.v2.OrganizationService/ListOrganizations", pat);
    assert.deepEqual([called.status, called.body.code, slug(called)], [429, "resource_exhausted", "instance.blocked"]);
    const keys = await server.byHost(host, "GET", "/oauth/v2/keys", { token: null });
    assert.deepEqual([keys.status, keys.body.error], [429, "temporarily_unavailable"]);
    for (const path of [
      "/ui/login",
      "/ui/account",
      "/oauth/v2/authorize?client_id=x",
      "/.well-known/openid-configuration",
      "/nothing",
    ]) {
      assert.equal((await server.byHost(host, "GET", path, { token: null })).status, 429, path);
    }
    const page = await fetch(`${server.origin}/ui/login`, { headers: { accept: "text/html" } });
    assert.notEqual(page.status, 429, "the first instance is not blocked");

    // What the operator needs is answered, on the host of the blocked instance too.
    assert.equal((await server.byHost(host, "GET", "/debug/healthz", { token: null })).status, 200);
    const list = { token: token(), body: {} };
    assert.equal((await server.byHost(host, "POST", "/system/v1/instances/_search", list)).status, 200);
    assert.equal((await connect("service.system.v1.SystemService/ListInstances", token())).status, 200);
    assert.equal(
      (await connect("service.system.v1.SystemService/ListInstances", pat)).status,
      403,
      "not for its owner",
    );
    assert.equal((await connect("zitadel.system.v1.SystemService/ListInstances", token())).status, 200);

    assert.equal((await set(second, { block: false })).status, 200);
    assert.deepEqual([(await read()).status, (await read()).body.result.length], [200, 1]);

    await set(first, { block: true });
    assert.equal((await server.rest("GET", "/auth/v1/users/me")).status, 429);
    assert.equal((await read()).status, 200, "other instances are not blocked");
    assert.equal((await set(first, { block: false })).status, 200, "the host of the operator is never locked out");
    assert.equal((await server.rest("GET", "/auth/v1/users/me")).status, 200);
  });

  test("a blocked instance refuses by gRPC too, and its page says so with its style sheet", async (t) => {
    const { server, first, set } = await begin(t, start);
    await set(first, { block: true });
    const client = createClient(UserService, createGrpcTransport({ baseUrl: server.origin }));
    const headers = { authorization: `Bearer ${server.ownerToken}` };
    await assert.rejects(
      client.listUsers({}, { headers }),
      ({ code }: ConnectError) => code === Code.ResourceExhausted,
    );
    const page = await fetch(`${server.origin}/ui/login`, {
      headers: { accept: "text/html", "accept-language": "de" },
    });
    const text = await page.text();
    assert.equal(page.status, 429);
    assert.match(text, /Dieser Dienst ist gesperrt/);
    const [, sheet] = /href="(\/ui\/assets\/[^"]+\.css)"/.exec(text) ?? [];
    assert.equal((await fetch(`${server.origin}${sheet}`)).status, 200);
  });

  test("lists show no event that is older than the audit log retention, and no row is lost", async (t) => {
    const { server, second, pat, set, reset, events } = await begin(t, start);
    const ask = (method: string, path: string, body: object) => server.byHost(host, method, path, { token: pat, body });
    const organizationId = (await ask("POST", "/v2/organizations/_search", {})).body.result[0].id;
    const changes = async () =>
      (await ask("POST", "/management/v1/orgs/me/changes/_search", {})).body.result?.map(
        ({ eventType }: { eventType: { key: string } }) => eventType.key,
      );
    const types = async (body: object = {}) => (await events(body)).map(({ type }) => type.type);
    const before = await types();
    assert.ok(before.includes("instance.created"));
    const changesBefore = await changes();
    server.clock.now += 3_600_000;
    await ask("PUT", "/management/v1/orgs/me", { name: "Renamed" });
    assert.equal((await set(second, { auditLogRetention: "1800s" })).status, 200);
    assert.deepEqual(await types({ asc: true }), ["organization.updated", "limits.set"], organizationId);
    assert.deepEqual(await types({ asc: true, range: { since: "2020-01-01T00:00:00Z" } }), [
      "organization.updated",
      "limits.set",
    ]);
    assert.deepEqual(await types({ aggregateId: organizationId }), ["organization.updated"]);
    assert.equal((await changes()).length, 1);
    assert.ok(changesBefore.length > 0);

    await set(second, { auditLogRetention: "0s" });
    assert.equal((await types()).length, before.length + 3, "rows stay, and 0 is no limit");
    await set(second, { auditLogRetention: "60s", block: false });
    server.clock.now += 61_000;
    assert.deepEqual(await types(), []);
    assert.equal((await reset(second)).status, 200);
    assert.equal((await types()).length, before.length + 5);
    assert.deepEqual(
      (await events({ asc: true, aggregateTypes: ["limits"] })).map(({ type, payload }) => [type.type, payload]),
      [
        ["limits.set", { auditLogRetention: 1_800_000 }],
        ["limits.set", { auditLogRetention: 0 }],
        ["limits.set", { auditLogRetention: 60_000, block: false }],
        ["limits.reset", {}],
      ],
    );
    assert.equal((await changes()).length, changesBefore.length + 1);
  });

  test("limits are set for several instances, or for none of them", async (t) => {
    const { server, first, second, pat, set, setMany, reset, read } = await begin(t, start);
    const wrong = await setMany([
      { instanceId: second, block: true },
      { instanceId: "404", block: true },
    ]);
    assert.deepEqual([wrong.status, slug(wrong)], [404, "instance.not_found"]);
    const empty = await setMany([{ instanceId: second, block: true }, { instanceId: first }]);
    assert.deepEqual([empty.status, slug(empty)], [400, "limits.none_given"]);
    assert.match(empty.body.message, /limits\[1\]/);
    assert.equal((await read()).status, 200, "nothing was changed");
    assert.equal(slug(await setMany([])), "limits.none_given");

    const both = await setMany([
      { instanceId: second, block: true },
      { instanceId: first, auditLogRetention: "86400s" },
    ]);
    assert.deepEqual(
      both.body.targetDetails.map(({ resourceOwner }: { resourceOwner: string }) => resourceOwner),
      [second, first],
    );
    assert.ok(both.body.details.changeDate);
    assert.equal((await read()).status, 429);
    assert.equal((await reset(second)).status, 200);
    assert.equal((await read()).status, 200);

    const again = await set(first, { auditLogRetention: "86400s" });
    assert.equal(again.body.details.sequence, both.body.targetDetails[1].sequence, "the same limits are no change");
    assert.equal(slug(await set(first, {})), "limits.none_given");
    assert.equal(slug(await set(first, { auditLogRetention: "-1s" })), "limits.retention_negative");
    assert.equal(slug(await set("404", { block: true })), "instance.not_found");
    const ada = await addPerson(server, { username: "ada" });
    assert.ok(ada.userId);
    for (const as of [server.ownerToken, pat]) {
      const refused = [
        await set(first, { block: true }, as),
        await setMany([{ instanceId: first, block: true }], as),
        await reset(first, as),
      ];
      assert.deepEqual(
        refused.map(({ status }) => status),
        as === pat ? [401, 401, 401] : [403, 403, 403],
      );
    }
  });
});

onPostgres(() => {
  test("a block on one node soon holds on the other, and so does its end", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await startServer(t, { engine: "postgres", config });
    const { location, ownerToken, origin } = server;
    const other = await startServer(t, { location, ownerToken, config: { ...config, baseUrl: origin } });
    const me = () => other.rest("GET", "/auth/v1/users/me", { token: ownerToken });
    assert.equal((await me()).status, 200, "the other node has the instance in memory");
    const id = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();
    for (const [block, status] of [
      [true, 429],
      [false, 200],
    ] as const) {
      const path = `/system/v1/instances/${id}/limits`;
      assert.equal((await server.rest("PUT", path, { token: tokenFor(server), body: { block } })).status, 200);
      const until = performance.now() + 5000;
      while ((await me()).status !== status) assert.ok(performance.now() < until, `${status} in time`);
    }
  });
});
