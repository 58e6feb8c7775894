import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf } from "../../src/base/budget/network-of.ts";
import { createHoldRefusals } from "../../src/web/hold-refusals.ts";
import { createRateLimits } from "../../src/web/rate-limits.ts";
import { visit } from "../login/support/sign-in.ts";
import { fetch } from "../support/http/fetch.ts";
import { createKeyedClient } from "../support/oidc/assertions.ts";
import { basicOf, startOidcServer } from "../support/oidc/oidc.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";

const off = { authorization: 0, token: 0, introspection: 0, login: 0, signUp: 0, registration: 0, keys: 0 };
const from = (address: string) => ({ "x-forwarded-for": address });

test("a client that asks too often is told when to ask again, in the words of the endpoint", async (t) => {
  const rateLimits = { authorization: 3, token: 3, introspection: 3, login: 3, signUp: 3, registration: 3, keys: 3 };
  // Through a proxy, so that everything that the test itself needs comes from elsewhere.
  const server = await startOidcServer(t, { config: { trustedProxies: ["127.0.0.0/8"], rateLimits } });
  const { client } = server;
  const endpoints: readonly { readonly path: string; readonly init: RequestInit }[] = [
    { path: "/oauth/v2/token", init: { method: "POST", body: new URLSearchParams({ grant_type: "refresh_token" }) } },
    { path: "/oauth/v2/introspect", init: { method: "POST", body: new URLSearchParams({ token: "x" }) } },
    { path: "/oauth/v2/register", init: { method: "POST", body: "{}" } },
    { path: "/oauth/v2/keys", init: {} },
  ];
  for (const [index, { path, init }] of endpoints.entries()) {
    const ask = (address: string) => fetch(server.origin + path, { ...init, headers: from(address) });
    const address = `203.0.113.${index + 1}`;
    for (let count = 0; count < 3; count++) assert.notEqual((await ask(address)).status, 429, path);
    const refused = await ask(address);
    assert.equal(refused.status, 429, path);
    assert.equal(refused.headers.get("retry-after"), "20", path);
    assert.equal(refused.headers.get("access-control-allow-origin"), "*", path);
    assert.equal(((await refused.json()) as { error: string }).error, "temporarily_unavailable", path);
    assert.notEqual((await ask("198.51.100.7")).status, 429, `${path}: another source`);
    server.clock.now += 20_000;
    assert.notEqual((await ask(address)).status, 429, `${path}: later`);
    assert.equal((await ask(address)).status, 429, path);
  }
  // One limit for token, revocation and pushed requests; one for introspection and userinfo.
  for (const path of ["/oauth/v2/token", "/oauth/v2/revoke", "/oauth/v2/par"]) {
    await fetch(server.origin + path, {
      method: "POST",
      headers: from("203.0.113.50"),
      body: new URLSearchParams({ x: "1" }),
    });
  }
  const shared = await fetch(`${server.origin}/oauth/v2/par`, { method: "POST", headers: from("203.0.113.50") });
  assert.equal(shared.status, 429);
  for (const status of [401, 401, 401, 429]) {
    const answer = await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: from("203.0.113.60") });
    assert.equal(answer.status, status);
  }
  // Sign-outs have the limit of authorization requests.
  for (const status of [400, 400, 400, 429]) {
    const answer = await fetch(`${server.origin}/oidc/v1/end_session?id_token_hint=x`, {
      headers: from("203.0.113.61"),
    });
    assert.equal(answer.status, status);
  }
  assert.ok(client);
});

test("a source is what trusted proxies say, and of IPv6 the network", async (t) => {
  const rateLimits = { ...off, keys: 2 };
  const ask = async (origin: string, address: string) =>
    (await fetch(`${origin}/oauth/v2/keys`, { headers: from(address) })).status;
  const behind = await startOidcServer(t, { config: { trustedProxies: ["127.0.0.0/8"], rateLimits } });
  assert.deepEqual(
    [
      await ask(behind.origin, "2001:db8:1:2::1"),
      await ask(behind.origin, "2001:db8:1:2:ffff::2"),
      await ask(behind.origin, "2001:db8:1:2:3:4:5:6"),
      await ask(behind.origin, "2001:db8:1:3::1"),
      await ask(behind.origin, "evil, 192.0.2.1"),
    ],
    [200, 200, 429, 200, 200],
  );
  const direct = await startOidcServer(t, { config: { rateLimits } });
  const told = [
    await ask(direct.origin, "192.0.2.1"),
    await ask(direct.origin, "192.0.2.2"),
    await ask(direct.origin, "192.0.2.3"),
  ];
  assert.deepEqual(told, [200, 200, 429], "what strangers write about themselves counts for nothing");
  for (const [address, network] of [
    ["192.0.2.1", "192.0.2.1"],
    ["::1", "0:0:0:0::/64"],
    ["2001:DB8::1", "2001:db8:0:0::/64"],
    ["2001:0db8:0000:0001:ffff::", "2001:db8:0:1::/64"],
    ["2001:db8:1:2:3:4:5:6%eth0", "2001:db8:1:2::/64"],
    ["", ""],
  ] as const) {
    assert.equal(networkOf(address), network, address);
  }
});

test("an authenticated client is counted wherever it comes from; no other client uses up its allowance", async (t) => {
  const config = { trustedProxies: ["127.0.0.0/8"], rateLimits: { ...off, introspection: 4, token: 4 } };
  const server = await startOidcServer(t, { config });
  const { client } = server;
  const other = await createKeyedClient(server);
  let address = 0;
  const elsewhere = () => from(`198.51.100.${++address}`);
  const introspect = (authorization: { authorization: string }) =>
    server.form("/oauth/v2/introspect", { token: "x" }, { ...authorization, ...elsewhere() });
  for (let count = 0; count < 10; count++) {
    assert.equal((await introspect(basicOf(client.clientId, "wrong"))).status, 401);
  }
  for (let count = 0; count < 4; count++) assert.equal((await introspect(client.basic)).status, 200);
  const refused = await introspect(client.basic);
  assert.deepEqual([refused.status, refused.body.error], [429, "temporarily_unavailable"]);
  assert.equal(refused.headers.get("retry-after"), "15");
  const assertion = { token: "x", ...other.proof() };
  assert.equal((await server.form("/oauth/v2/introspect", assertion, elsewhere())).status, 200, "another client");

  const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
  const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
  const credentials = { grant_type: "client_credentials", scope: "openid" };
  const robot = () =>
    server.form("/oauth/v2/token", credentials, { ...basicOf("robot", clientSecret), ...elsewhere() });
  for (let count = 0; count < 4; count++) assert.equal((await robot()).status, 200);
  assert.equal((await robot()).status, 429);
});

test("a source that is refused again and again waits for its refusals, and no other does", async (t) => {
  const config = { trustedProxies: ["127.0.0.0/8"], rateLimits: { ...off, keys: 1 } };
  const server = await startOidcServer(t, { config });
  const ask = async (address: string, path = "/oauth/v2/keys") => {
    const started = performance.now();
    const answer = await fetch(server.origin + path, { headers: from(address) });
    await answer.arrayBuffer();
    return { status: answer.status, milliseconds: performance.now() - started };
  };
  assert.equal((await ask("203.0.113.1")).status, 200);
  const first = await Promise.all(Array.from({ length: 100 }, () => ask("203.0.113.1")));
  assert.ok(first.every(({ status }) => status === 429));
  const held = await ask("203.0.113.1");
  assert.ok(held.status === 429 && held.milliseconds >= 245, `${held.milliseconds} ms`);
  const many = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => ask("203.0.113.1")));
  assert.ok(performance.now() - many < 20 * 245, "they wait beside each other");
  const good = await ask("203.0.113.1", "/debug/healthz");
  assert.equal(good.status, 200);
  assert.equal((await ask("203.0.113.2")).status, 200, "another source");
  const hold = createHoldRefusals();
  const of = (source: string, now = 1_800_000_000_000) => hold({ instanceId: "1", source, now });
  for (let count = 0; count < 100; count++) assert.equal(of("one"), undefined);
  assert.ok(of("one") instanceof Promise);
  assert.equal(of("two"), undefined);
  assert.equal(of("one", 1_800_000_060_000), undefined, "a minute later it is forgotten");
  for (let count = 0; count < 1_000; count++) void of(`many ${count}`);
  assert.ok(of("three") instanceof Promise, "of very many sources each one waits");
  assert.equal(hold({ instanceId: "2", source: "three", now: 1_800_000_000_000 }), undefined, "in that instance");
});

test("one instance never uses up the allowance of another", () => {
  const limits = createRateLimits({ ...off, keys: 1, token: 1 });
  const at = (name: "keys" | "token", instanceId: string) => ({ name, instanceId, now: 1_800_000_000_000 });
  assert.equal(limits.ofSource(at("keys", "one"), "192.0.2.1"), 0);
  assert.equal(limits.ofSource(at("keys", "one"), "192.0.2.1"), 60);
  assert.equal(limits.ofSource(at("keys", "two"), "192.0.2.1"), 0);
  assert.equal(limits.ofSource(at("token", "one"), "192.0.2.1"), 0, "each name has a limit of its own");
  assert.equal(limits.ofClient(at("token", "one"), "192.0.2.1"), 0, "clients and sources are counted apart");
  assert.equal(limits.ofClient(at("token", "two"), "192.0.2.1"), 0);
});

eachServer((start) => {
  test("forms of the login are counted by source, looking at pages is not", async (t) => {
    const server = await start(t, { config: { rateLimits: { ...off, login: 3 } } });
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page } = await visit(server, client);
    for (let count = 0; count < 5; count++) assert.equal((await browser.open(page.address)).status, 200);
    let shown = page;
    for (let count = 0; count < 3; count++) {
      shown = await browser.submit(page, { login_name: ada.loginName });
      assert.equal(shown.status, 200);
    }
    const refused = await browser.submit(page, { login_name: ada.loginName });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "20");
    assert.match(refused.html, /Too many/i);
  });
});
