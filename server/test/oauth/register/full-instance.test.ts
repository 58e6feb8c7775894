import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../support/databases/databases.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { minimal, registrationPath, setRegistration } from "../../support/oidc/registration.ts";
import { race, startCluster } from "../../support/servers/nodes.ts";
import type { RestAnswer, TestServer } from "../../support/servers/server.ts";
import { isTaken, permit, startSite } from "../client/document-site.ts";

const service = "service.application.v2.ApplicationService";
const config = { trustedProxies: ["127.0.0.0/8"] };

interface Registered {
  readonly client: TestClient;
  readonly token: string;
}

const from = (server: TestServer, address: string): Promise<RestAnswer> =>
  server.rest("POST", registrationPath, { body: minimal, token: null, headers: { "x-forwarded-for": address } });

function toRegistered({ status, body }: RestAnswer): Registered {
  assert.equal(status, 201, JSON.stringify(body));
  const { client_id: clientId, client_secret: clientSecret, registration_access_token: token } = body;
  const redirectUri = "https://app.example/callback";
  return {
    token,
    client: { applicationId: "", clientId, clientSecret, redirectUri, basic: basicOf(clientId, clientSecret) },
  };
}

/** Registers one client after another. */
async function fill(server: OidcServer, address: string, count: number): Promise<Registered[]> {
  const all: Registered[] = [];
  for (let made = 0; made < count; made++) {
    all.push(toRegistered(await from(server, address)));
    server.clock.now++;
  }
  return all;
}

/** Which of the clients are there; the token of one that an administrator changed has ended, which is 401. */
const areThere = (server: OidcServer, all: readonly Registered[]): Promise<boolean[]> =>
  Promise.all(
    all.map(async ({ client: { clientId }, token }) => {
      const { status } = await server.rest("GET", `${registrationPath}/${clientId}`, { token });
      return status !== 404;
    }),
  );

async function vouchFor(server: OidcServer, { client: { clientId } }: Registered): Promise<void> {
  const { applications } = (await server.connect(`${service}/ListApplications`, {})).body;
  const found = applications.find(
    (one: { oidcConfiguration?: { clientId: string } }) => one.oidcConfiguration?.clientId === clientId,
  );
  const { applicationId, projectId, etag } = found;
  const update = { applicationId, projectId, etag, oidcConfiguration: { consentRequired: false } };
  assert.equal((await server.connect(`${service}/UpdateApplication`, update)).status, 200);
}

eachEngine((_open, engine) => {
  test("where the instance is full, the newest client of the source that has most makes room", async (t) => {
    const server = await startOidcServer(t, { engine, config });
    await setRegistration(server, "open", { maxUnusedClients: 8, maxUnusedClientsPerSource: 4 });
    const first = await fill(server, "192.0.2.1", 4);
    const second = await fill(server, "192.0.2.2", 4);
    const [third] = await fill(server, "192.0.2.3", 1);
    assert.ok(third);
    assert.deepEqual(await areThere(server, first), [true, true, true, true]);
    assert.deepEqual(await areThere(server, second), [true, true, true, false], "among equals the newest");
    assert.equal((await from(server, "192.0.2.2")).status, 429, "it takes none back from those who have as many");
    const [other] = await fill(server, "192.0.2.3", 1);
    assert.ok(other);
    assert.deepEqual(await areThere(server, first), [true, true, true, false]);
    assert.deepEqual(await areThere(server, second), [true, true, true, false]);
    const refused = await from(server, "192.0.2.3");
    assert.deepEqual([refused.status, refused.body.error], [429, "temporarily_unavailable"], "it would have as many");
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    await server.tokens({ client: third.client });
    assert.deepEqual(await areThere(server, [third, other]), [true, true]);
  });

  test("networks of a block give way together", async (t) => {
    const server = await startOidcServer(t, { engine, config });
    await setRegistration(server, "open", { maxUnusedClients: 8, maxUnusedClientsPerSource: 4 });
    const narrow = await fill(server, "2001:db8:1:1::1", 3);
    const wide = await fill(server, "2001:db8:1:2::1", 2);
    const single = await fill(server, "192.0.2.1", 3);
    await fill(server, "192.0.2.2", 1);
    assert.deepEqual(await areThere(server, narrow), [true, true, false]);
    assert.deepEqual(await areThere(server, [...wide, ...single]), [true, true, true, true, true]);
    assert.equal((await from(server, "2001:db8:1:3::1")).status, 201, "and make room for one another");
    assert.deepEqual(await areThere(server, narrow), [true, true, false]);
    assert.deepEqual(await areThere(server, wide), [true, false]);
    assert.deepEqual(await areThere(server, single), [true, true, true]);
  });

  test("no client makes room that a user lets in, or for which an administrator vouches", async (t) => {
    const server = await startOidcServer(t, { engine, config });
    await setRegistration(server, "open", { maxUnusedClients: 4, maxUnusedClientsPerSource: 4 });
    const all = await fill(server, "192.0.2.1", 4);
    const [, , used, vouched] = all;
    assert.ok(used && vouched);
    const { access_token: token = "" } = await server.tokens({ client: used.client, scope: "openid" });
    await vouchFor(server, vouched);
    await fill(server, "192.0.2.2", 1);
    assert.deepEqual(await areThere(server, all), [true, false, true, true]);
    assert.equal((await from(server, "192.0.2.3")).status, 429, "both sources have one that may go");
    assert.deepEqual(await areThere(server, all), [true, false, true, true]);
    assert.equal((await server.form("/oauth/v2/introspect", { token }, used.client.basic)).body.active, true);
    await server.tokens({ client: vouched.client, scope: "openid" });
  });

  test("a quota that an administrator lowers holds", async (t) => {
    const server = await startOidcServer(t, { engine, config });
    await setRegistration(server, "open", { maxUnusedClients: 6, maxUnusedClientsPerSource: 4 });
    const all = await fill(server, "192.0.2.1", 4);
    await setRegistration(server, "open", { maxUnusedClients: 2, maxUnusedClientsPerSource: 4 });
    assert.equal((await from(server, "192.0.2.2")).status, 429);
    assert.deepEqual(await areThere(server, all), [true, true, true, true]);
  });

  test("newcomers at once all find room, beside users who let clients in", async (t) => {
    const cluster = await startCluster(t, engine, engine === "sqlite" ? 1 : 2, { config });
    const { first: server } = cluster;
    await setRegistration(server, "open", { maxUnusedClients: 16, maxUnusedClientsPerSource: 16 });
    const all = await fill(server, "192.0.2.1", 16);
    let next = 0;
    const letIn = Promise.allSettled(
      all.slice(-4).map(async ({ client }) => (await server.tokens({ client, scope: "openid" })).access_token ?? ""),
    );
    const answers = await race(8, cluster, (node) => from(node, `198.51.100.${++next}`));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 8 }, () => 201),
    );
    assert.ok((await areThere(server, answers.map(toRegistered))).every((isThere) => isThere));
    const there = await areThere(server, all);
    assert.equal(there.filter((isThere) => isThere).length, 8, there.join());
    for (const [index, outcome] of (await letIn).entries()) {
      const { client } = all[12 + index] ?? assert.fail();
      const isThere = there[12 + index] === true;
      assert.equal(outcome.status === "fulfilled", isThere, `client ${12 + index}`);
      if (outcome.status !== "fulfilled") continue;
      const introspected = await server.form("/oauth/v2/introspect", { token: outcome.value }, client.basic);
      assert.equal(introspected.body.active, true);
    }
  });

  test("strangers who fill the instance close it to no metadata document", async (t) => {
    const server = await startOidcServer(t, { engine, config, certificates: testCertificate.cert });
    const site = await startSite(t);
    const quota = { maxUnusedClients: 4, maxUnusedClientsPerSource: 4, allowUnauthenticated: true };
    await permit(server, { allowedUrls: [site.url] }, { dynamicClientRegistration: { enabled: true, ...quota } });
    const all = await fill(server, "192.0.2.1", 4);
    assert.equal(await isTaken(server, site, undefined, "192.0.2.1"), false, "the source has its part");
    assert.equal(await isTaken(server, site, undefined, "192.0.2.2"), true);
    assert.deepEqual(await areThere(server, all), [true, true, true, false]);
  });
});
