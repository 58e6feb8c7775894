import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { eachEngine } from "../../support/databases.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc.ts";
import { minimal, register, registered, registrationPath, setRegistration } from "../../support/registration.ts";

const day = 86_400_000;

interface Registered {
  readonly client: TestClient;
  readonly token: string;
}

const toRegistered = (body: Record<string, string>): Registered => {
  const { client_id: clientId = "", client_secret: clientSecret = "", registration_access_token: token = "" } = body;
  const redirectUri = "https://app.example/callback";
  return {
    token,
    client: { applicationId: "", clientId, clientSecret, redirectUri, basic: basicOf(clientId, clientSecret) },
  };
};

/** Signs a person in, and ends the tokens. */
async function use(server: OidcServer, { client }: Registered): Promise<void> {
  const { access_token: token = "" } = await server.tokens({ client, scope: "openid" });
  const ended = await server.form("/oauth/v2/revoke", { token }, client.basic);
  assert.equal(ended.status, 200, JSON.stringify(ended.body));
}

async function vouchFor(server: OidcServer, { client: { clientId } }: Registered): Promise<void> {
  const service = "service.application.v2.ApplicationService";
  const { applications } = (await server.connect(`${service}/ListApplications`, {})).body;
  const found = applications.find(
    (one: { oidcConfiguration?: { clientId: string } }) => one.oidcConfiguration?.clientId === clientId,
  );
  const { applicationId, projectId } = found;
  const oidcConfiguration = { consentRequired: false };
  const answer = await server.connect(`${service}/UpdateApplication`, { applicationId, projectId, oidcConfiguration });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

const isThere = async (server: OidcServer, { client: { clientId }, token }: Registered): Promise<boolean> =>
  (await server.rest("GET", `${registrationPath}/${clientId}`, { token })).status === 200;

/** Lets time pass, an hour or more at a time; jobs run after each. */
async function pass(server: OidcServer, duration: number, steps = 1): Promise<void> {
  for (let step = 0; step < steps; step++) {
    server.clock.now += duration / steps;
    await server.app.jobs.tick();
  }
}

eachEngine((_open, engine) => {
  test("a stranger's client that had no living tokens for 90 days goes, with consents; others stay", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const offline = { ...minimal, grant_types: ["authorization_code", "refresh_token"] };
    const make = async (metadata: object, token?: null) => toRegistered(await registered(server, metadata, token));
    const [idle, renewed, vouched, living] = [
      await make(minimal, null),
      await make(minimal, null),
      await make(minimal, null),
      await make(offline, null),
    ];
    const byToken = await make(minimal);
    for (const one of [idle, renewed, vouched, byToken]) await use(server, one);
    await server.tokens({ client: living.client, scope: "openid offline_access" });
    await vouchFor(server, vouched);
    await pass(server, 60_000);
    await pass(server, 50 * day, 5);
    await use(server, renewed);
    await server.tokens({ client: living.client, scope: "openid offline_access" });
    await pass(server, 3_600_000);
    await pass(server, 39 * day, 3);
    for (const one of [idle, renewed, vouched, living, byToken]) assert.equal(await isThere(server, one), true);
    await pass(server, 2 * day, 2);
    assert.equal(await isThere(server, idle), false, "91 days after its last use");
    for (const one of [renewed, vouched, living, byToken]) assert.equal(await isThere(server, one), true);
    const gone = await server.form("/oauth/v2/introspect", { token: "x" }, idle.client.basic);
    assert.equal(gone.body.error, "invalid_client");
    await pass(server, 50 * day, 5);
    assert.equal(await isThere(server, renewed), false, "91 days after it was used again");
    assert.equal(await isThere(server, living), true, "its tokens lived for a month more");
    assert.equal(await isThere(server, vouched), true, "an administrator vouches for it");
    assert.equal(await isThere(server, byToken), true);
  });

  test("used clients of strangers have limits of their own, ten times those of unused ones", async (t) => {
    const server = await startOidcServer(t, { engine, config: { trustedProxies: ["127.0.0.0/8"] } });
    await setRegistration(server, "open", { maxUnusedClients: 2, maxUnusedClientsPerSource: 1 });
    const from = (address: string) =>
      server.rest("POST", registrationPath, { body: minimal, token: null, headers: { "x-forwarded-for": address } });
    const fill = async (address: string, count: number): Promise<Registered[]> => {
      const all: Registered[] = [];
      for (let index = 0; index < count; index++) {
        const answer = await from(address);
        assert.equal(answer.status, 201, `${address}, ${index}: ${JSON.stringify(answer.body)}`);
        const one = toRegistered(answer.body);
        await use(server, one);
        all.push(one);
        await pass(server, 60_000);
      }
      return all;
    };
    const [first] = await fill("192.0.2.1", 10);
    assert.ok(first);
    const refused = await from("192.0.2.1");
    assert.deepEqual([refused.status, refused.body.error], [429, "temporarily_unavailable"]);
    assert.equal(refused.headers.get("retry-after"), "3600");
    await fill("192.0.2.2", 10);
    assert.equal((await from("192.0.2.3")).status, 429, "the instance has 20");
    assert.equal((await register(server, minimal)).status, 201, "a caller with the permission is not limited");
    await vouchFor(server, first);
    await fill("192.0.2.1", 1);
    assert.equal((await from("192.0.2.1")).status, 429);
    // Removed after 90 days without use, they make room.
    await pass(server, 91 * day, 2);
    await pass(server, 60_000);
    assert.equal((await from("192.0.2.1")).status, 201);
    assert.equal(await isThere(server, first), true);
  });

  test("what a stranger registers has 32 KiB together", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const sized = (count: number) => ({
      ...minimal,
      post_logout_redirect_uris: Array.from(
        { length: count },
        (_, index) => `https://app.example/${"x".repeat(970)}${index}`,
      ),
    });
    const large = await register(server, sized(40), null);
    assert.deepEqual([large.status, large.body.error], [400, "invalid_client_metadata"]);
    assert.match(large.body.error_description, /32768 bytes/);
    const { client, token } = toRegistered(await registered(server, sized(25), null));
    const path = `${registrationPath}/${client.clientId}`;
    const replaced = await server.rest("PUT", path, { token, body: { ...sized(40), client_id: client.clientId } });
    assert.deepEqual([replaced.status, replaced.body.error], [400, "invalid_client_metadata"]);
    assert.equal((await register(server, sized(40))).status, 201, "an administrator's token");
    const rows = await server.app.domain.database.read.all<{ configuration: string }>(
      sql`select configuration from applications where client_id = ${client.clientId}`,
    );
    assert.ok(rows.every(({ configuration }) => configuration.length <= 32_768));
  });
});
