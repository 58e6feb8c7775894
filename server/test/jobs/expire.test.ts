import assert from "node:assert/strict";
import { test } from "node:test";
import { days, hours, minutes, seconds } from "../../src/base/clock.ts";
import { type Database, sql, type Tx, text } from "../../src/database/index.ts";
import { expire } from "../../src/jobs/expire.ts";
import { startExchangeServer, typeOf } from "../oauth/token-exchange/support.ts";
import { eachEngine, makeLocation, onPostgres } from "../support/databases/databases.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { changeSettings } from "../support/servers/change-settings.ts";

const tables = [
  "authorization_codes",
  "access_tokens",
  "refresh_tokens",
  "token_families",
  "auth_requests",
  "sign_ins",
  "one_time_secrets",
  "used_assertions",
  "sessions",
] as const;

/** Returns the number of rows of each table. */
async function count(database: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const row = await database.read.maybe<{ rows: number }>(sql`select count(*) as "rows" from ${text(table)}`);
    counts.set(table, Number(row?.rows));
  }
  return counts;
}

eachEngine((open, engine) => {
  test("what a sign-in leaves behind is deleted once it is of no use, and not before", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { database } = server.app.domain;
    const existing = await count(database);
    const { userId, password } = server.user;
    const checks = { user: { userId }, password: { password } };
    const { body: session } = await server.rest("POST", "/v2/sessions", { body: { checks, lifetime: "2592000s" } });
    await server.tokens({ scope: "openid offline_access", session });
    const started = server.clock.now;
    const at = async (passed: number): Promise<string[]> => {
      server.clock.now = started + passed;
      await server.app.jobs.tick();
      const now = await count(database);
      return tables.filter((table) => now.get(table) !== existing.get(table));
    };
    const [codes, accessTokens, refreshTokens, families, requests] = tables;
    const all = [codes, accessTokens, refreshTokens, families, requests, "sessions"];
    assert.deepEqual(await at(minutes(1)), all);
    assert.deepEqual(await at(minutes(90)), all);
    const withoutRequests = all.filter((table) => table !== requests);
    assert.deepEqual(await at(minutes(91)), withoutRequests, "anybody can have one stored, so they go soon");
    assert.deepEqual(await at(hours(13)), withoutRequests);
    assert.deepEqual(await at(hours(13) + minutes(1)), [codes, refreshTokens, families, "sessions"]);
    assert.deepEqual(await at(days(1) + minutes(1)), [codes, refreshTokens, families, "sessions"]);
    assert.deepEqual(await at(days(1) + minutes(2)), [refreshTokens, families, "sessions"]);
    assert.deepEqual(await at(days(31)), [refreshTokens, families, "sessions"]);
    assert.deepEqual(await at(days(31) + minutes(1)), [families, "sessions"]);
    assert.deepEqual(await at(days(91)), [families, "sessions"]);
    assert.deepEqual(await at(days(91) + minutes(1)), ["sessions"]);
    assert.deepEqual(await at(days(120)), ["sessions"]);
    assert.deepEqual(await at(days(120) + minutes(1)), []);
  });

  test("what an exchange left behind goes with its family", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { database } = server.app.domain;
    const rows = async (): Promise<number> =>
      Number(
        (await database.read.maybe<{ rows: number }>(sql`select count(*) as "rows" from token_family_sources`))?.rows,
      );
    const { access_token: token = "" } = await server.tokensOf(server.user, "openid");
    const subject = { subject_token: token, subject_token_type: typeOf.access_token };
    assert.equal((await server.exchange({ ...subject, scope: "openid" })).status, 200);
    // The token and its family.
    assert.equal(await rows(), 2);
    const started = server.clock.now;
    for (const [passed, left] of [
      // A day after the end of the token that was exchanged.
      [hours(36), 2],
      [hours(36) + minutes(1), 0],
    ] as const) {
      server.clock.now = started + passed;
      await server.app.jobs.tick();
      assert.equal(await rows(), left);
    }
  });

  test("a session outlives its own end while tokens depend on it, and an ended one goes after a day", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { database } = server.app.domain;
    const { userId, password } = server.user;
    const open = async () => {
      const body = { checks: { user: { userId }, password: { password } }, lifetime: "60s" };
      return (await server.rest("POST", "/v2/sessions", { body })).body;
    };
    const [used, ended] = [await open(), await open()];
    const hasSession = async (sessionId: string): Promise<boolean> =>
      (await database.read.maybe(sql`select 1 as "one" from sessions where session_id = ${sessionId}`)) !== undefined;
    const client = await server.createClient();
    // A refresh token that lives longer than the remains of expired sessions.
    const oidc = { refreshTokenIdleLifetimeSeconds: days(200) / 1000, refreshTokenLifetimeSeconds: days(200) / 1000 };
    await changeSettings(server, "oidc", oidc);
    const { refresh_token: refreshToken = "" } = await server.tokens({
      client,
      scope: "openid offline_access",
      session: used,
    });
    await server.rest("DELETE", `/v2/sessions/${ended.sessionId}`, { body: { sessionToken: ended.sessionToken } });
    const started = server.clock.now;
    server.clock.now = started + days(1);
    await server.app.jobs.tick();
    assert.deepEqual([await hasSession(used.sessionId), await hasSession(ended.sessionId)], [true, true]);
    server.clock.now = started + days(100);
    await server.app.jobs.tick();
    assert.deepEqual([await hasSession(used.sessionId), await hasSession(ended.sessionId)], [true, false]);
    const refreshed = await server.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: refreshToken },
      client.basic,
    );
    assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
    assert.equal((await server.introspect(refreshed.body.access_token, client))["active"], true);
  });

  test("a backlog goes in batches, and what lives stays", async (t) => {
    const database = await open(t);
    await database.touch(testCall(), (tx) => fill(tx, { dead: 1234, living: 7 }));
    const counts = await expire({ database }).run({ now: testCall().now, signal: new AbortController().signal });
    assert.deepEqual(counts, { ...nothing, used_assertions: 1234, one_time_secrets: 1234, sign_ins: 1234 });
    const left = await count(database);
    assert.deepEqual([left.get("used_assertions"), left.get("one_time_secrets"), left.get("sign_ins")], [7, 7, 7]);
    const again = await expire({ database }).run({ now: testCall().now, signal: new AbortController().signal });
    assert.deepEqual(again, nothing);
  });

  test("a process that stops leaves the rest for later", async (t) => {
    const database = await open(t);
    await database.touch(testCall(), (tx) => fill(tx, { dead: 600, living: 0 }));
    const counts = await expire({ database }).run({ now: testCall().now, signal: AbortSignal.abort() });
    assert.deepEqual(counts, nothing);
  });
});

onPostgres((open) => {
  test("nodes that clean up at the same time share the work: each record goes once", async (t) => {
    const location = await makeLocation(t, "postgres");
    const nodes = [await open(t, { at: location }), await open(t, { at: location }), await open(t, { at: location })];
    const [first] = nodes;
    assert.ok(first);
    await first.touch(testCall(), (tx) => fill(tx, { dead: 3000, living: 5 }));
    const context = { now: testCall().now, signal: new AbortController().signal };
    const runs = await Promise.all(nodes.map((database) => expire({ database }).run(context)));
    // A node that meets only rows held by others stops; the rest goes with the next run.
    runs.push(await expire({ database: first }).run(context));
    for (const records of ["used_assertions", "one_time_secrets", "sign_ins"] as const) {
      const sum = runs.reduce((total, counts) => total + (counts[records] ?? 0), 0);
      assert.equal(sum, 3000);
      assert.equal((await count(first)).get(records), 5);
    }
  });
});

const nothing = {
  answered_references: 0,
  authorization_codes: 0,
  device_attempts: 0,
  device_authorizations: 0,
  budgets: 0,
  key_registrations: 0,
  used_assertions: 0,
  access_tokens: 0,
  refresh_tokens: 0,
  token_families: 0,
  token_family_sources: 0,
  auth_requests: 0,
  deliveries: 0,
  pushed_requests: 0,
  test_sign_ins: 0,
  sign_ins: 0,
  sign_in_attempts: 0,
  statistics_by_hour: 0,
  statistics_by_day: 0,
  statistics_by_month: 0,
  active_users: 0,
  bulk_job_rows: 0,
  bulk_jobs: 0,
  setup_links: 0,
  impersonations: 0,
  one_time_secrets: 0,
  notifications: 0,
  terminated_sessions: 0,
  expired_sessions: 0,
  unread_answers: 0,
  identity_intents: 0,
  provider_sessions: 0,
  provider_logouts: 0,
};

/** Adds records that expired long ago, and some that still live. */
async function fill(tx: Tx, { dead, living }: { dead: number; living: number }): Promise<void> {
  for (let index = 0; index < dead + living; index++) {
    const expiresAt = index < dead ? tx.now - days(2) : tx.now + seconds(1);
    const id = `id-${index}`;
    await tx.run(sql`insert into used_assertions (instance_id, kind, issuer, assertion_hash, expires_at)
      values (${tx.instanceId}, 'kind', 'issuer', ${id}, ${expiresAt})`);
    await tx.run(sql`insert into one_time_secrets (instance_id, kind, subject_id, secret_hash, bound, failed_attempts, created_at, expires_at)
      values (${tx.instanceId}, 'kind', ${id}, 'hash', '{}', 0, 0, ${expiresAt})`);
    await tx.run(sql`insert into sign_ins (instance_id, browser_hash, auth_request_id, state, login_name, factors, expires_at)
      values (${tx.instanceId}, ${id}, '', 'unnamed', '', '{}', ${expiresAt})`);
  }
}
