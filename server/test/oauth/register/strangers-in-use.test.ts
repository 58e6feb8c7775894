import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { signedIn } from "../../login/support/sign-in.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { minimal, register, registered, registrationPath, setRegistration } from "../../support/oidc/registration.ts";
import { addPerson } from "../../support/people/people.ts";

const day = 86_400_000;
const offline = { ...minimal, grant_types: ["authorization_code", "refresh_token"] };

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
  const { applicationId, projectId, etag } = found;
  const oidcConfiguration = { consentRequired: false };
  const update = { applicationId, projectId, etag, oidcConfiguration };
  const answer = await server.connect(`${service}/UpdateApplication`, update);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

// The token of one that an administrator vouches for has ended, which is 401.
const isThere = async (server: OidcServer, { client: { clientId }, token }: Registered): Promise<boolean> =>
  (await server.rest("GET", `${registrationPath}/${clientId}`, { token })).status !== 404;

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

  test("a user pays for the last 50 clients of strangers that they let in, and closes registration to no others", async (t) => {
    const server = await startOidcServer(t, { engine, config: { trustedProxies: ["127.0.0.0/8"] } });
    await setRegistration(server, "open", { maxUnusedClients: 12, maxUnusedClientsPerSource: 4 });
    const from = (address: string) =>
      server.rest("POST", registrationPath, { body: offline, token: null, headers: { "x-forwarded-for": address } });
    const sessionFor = async ({ userId, password }: { readonly userId: string; readonly password: string }) => {
      const checks = { user: { userId }, password: { password } };
      const { sessionId, sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
      return { sessionId, sessionToken };
    };
    const letIn = async (session: { sessionId: string; sessionToken: string }, { client }: Registered) =>
      server.tokens({ client, session, scope: "openid offline_access" });
    const mallory = await sessionFor(server.user);
    const grace = await sessionFor(await addPerson(server, { username: "grace" }));
    const all: Registered[] = [];
    const fill = async (address: string, count: number): Promise<number> => {
      for (let made = 0; made < count; made++) {
        const answer = await from(address);
        if (answer.status === 429) return made;
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        all.push(toRegistered(answer.body));
      }
      return count;
    };
    const isUsed = async ({ client: { clientId } }: Registered): Promise<boolean> => {
      const row = await server.app.domain.database.read.maybe<{ used: number | null }>(
        sql`select used_at as "used" from registrations where client_id = ${clientId}`,
      );
      return row !== undefined && row.used !== null;
    };
    // One account uses what it registers, again and again.
    while ((await fill("192.0.2.1", 4)) === 4 && all.length < 80) {
      for (const one of all.slice(-4)) {
        await letIn(mallory, one);
        server.clock.now += 1;
      }
      const [first] = all;
      if (all.length === 4 && first) await letIn(grace, first);
      await pass(server, 60_000);
    }
    assert.equal(all.splice(52).length, 3, "one was released, and counts as unused with three that are new");
    const used = await Promise.all(all.map(isUsed));
    const expected = all.map((_, index) => index !== 1);
    assert.deepEqual(used, expected, "another user pays for the first, none for the next");
    assert.equal((await from("192.0.2.1")).status, 429);
    assert.equal((await from("192.0.2.2")).status, 201, "another source");
    // What the account takes up no more goes, and the others stay.
    await pass(server, 8 * day, 8);
    const [shared, released] = [all[0], all[1]];
    const newest = all.at(-1);
    assert.ok(shared && released && newest);
    assert.equal(await isThere(server, released), false);
    for (const one of [shared, newest]) assert.equal(await isThere(server, one), true);
    assert.equal((await from("192.0.2.1")).status, 201);
  });

  test("a client of a stranger whose last user takes the access away is kept for a week, and counts as unused", async (t) => {
    const server = await startOidcServer(t, { engine, config: { trustedProxies: ["127.0.0.0/8"] } });
    await setRegistration(server, "open", { maxUnusedClients: 1, maxUnusedClientsPerSource: 1 });
    const make = async () => toRegistered(await registered(server, offline, null));
    const browser = await signedIn(server, server.user);
    const used: Registered[] = [];
    for (const index of [0, 1]) {
      used.push(await make());
      await server.tokens({ client: used[index]?.client ?? server.client, scope: "openid offline_access" });
      await pass(server, 60_000);
    }
    const [kept, left] = used;
    assert.ok(kept && left);
    const applications = await browser.open("/ui/account/applications");
    const form = applications.forms.find(({ values }) => values.some(([, value]) => value === left.client.clientId));
    assert.ok(form, applications.html);
    await browser.submit({ ...applications, forms: [form] });
    await pass(server, 60_000);
    assert.equal((await register(server, minimal, null)).status, 429, "the released one is the source's");
    const headers = { "x-forwarded-for": "192.0.2.9" };
    const elsewhere = await server.rest("POST", registrationPath, { body: minimal, token: null, headers });
    assert.equal(elsewhere.status, 201, "and closes registration to no other source");
    await pass(server, 6 * day, 6);
    assert.deepEqual(await Promise.all([kept, left].map((one) => isThere(server, one))), [true, true]);
    await pass(server, 2 * day, 2);
    assert.deepEqual(await Promise.all([kept, left].map((one) => isThere(server, one))), [true, false]);
    assert.equal((await register(server, minimal, null)).status, 201);
  });

  test("what a stranger registers has 32 KiB together", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const sized = (count: number) => ({
      ...minimal,
      post_logout_redirect_uris: Array.from(
        { length: count },
        (_, index) => `https://app.example/${"x".repeat(985)}${index}`,
      ),
    });
    const large = await register(server, sized(32), null);
    assert.deepEqual([large.status, large.body.error], [400, "invalid_client_metadata"]);
    assert.match(large.body.error_description, /32768 bytes/);
    const { client, token } = toRegistered(await registered(server, sized(25), null));
    const path = `${registrationPath}/${client.clientId}`;
    const replaced = await server.rest("PUT", path, { token, body: { ...sized(32), client_id: client.clientId } });
    assert.deepEqual([replaced.status, replaced.body.error], [400, "invalid_client_metadata"]);
    assert.equal((await register(server, sized(32))).status, 201, "an administrator's token");
    const larger = await register(server, sized(40));
    assert.deepEqual([larger.status, larger.body.error], [400, "invalid_client_metadata"]);
    assert.match(larger.body.error_description, /the URIs of the client together have more than 32768 characters/);
    const rows = await server.app.domain.database.read.all<{ configuration: string }>(
      sql`select configuration from applications where client_id = ${client.clientId}`,
    );
    assert.ok(rows.every(({ configuration }) => configuration.length <= 32_768));
  });
});
