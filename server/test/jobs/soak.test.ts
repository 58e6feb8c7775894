import assert from "node:assert/strict";
import { test } from "node:test";
import { days } from "../../src/base/clock.ts";
import { type Database, sql, text } from "../../src/database/index.ts";
import { isLong } from "../support/data/random.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";

// History is kept forever, and so is its search index.
const history = /^(events|event_|statistics$)/;
/** Rounds of use; each is far enough from the next that tokens and sessions are dead after the rounds of one half. */
const rounds = isLong() ? 400 : 12;
const between = isLong() ? days(1) : days(35);

async function tablesOf(database: Database, engine: "sqlite" | "postgres"): Promise<string[]> {
  const rows =
    engine === "sqlite"
      ? await database.read.all<{ name: string }>(sql`select name as "name" from pragma_table_list
          where schema = 'main' and type = 'table' and name not like 'sqlite_%'`)
      : await database.read.all<{ name: string }>(sql`select tablename as "name" from pg_tables
          where schemaname = current_schema()`);
  return rows.map(({ name }) => name);
}

async function countRows(database: Database, tables: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    // A table's name cannot be a parameter; these come from the database itself.
    const row = await database.read.maybe<{ rows: number }>(
      sql`select count(*) as "rows" from ${text(table as "users")}`,
    );
    counts.set(table, Number(row?.rows));
  }
  return counts;
}

/** Uses the server for a day: what is finished, what is abandoned, and what is sent. */
async function use(server: OidcServer, round: number): Promise<void> {
  const { user, client } = server;
  const checks = { user: { userId: user.userId }, password: { password: user.password } };
  const { body: session } = await server.rest("POST", "/v2/sessions", { body: { checks, lifetime: "86400s" } });
  const { refresh_token: refreshToken = "" } = await server.tokens({ scope: "openid offline_access", session });
  const refreshed = await server.form(
    "/oauth/v2/token",
    { grant_type: "refresh_token", refresh_token: refreshToken },
    client.basic,
  );
  assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
  // A code that is never redeemed, a request that is never answered, and one that is never begun.
  await server.signIn({ session });
  const request = { redirect_uri: client.redirectUri, response_type: "code", scope: "openid" };
  const query = new URLSearchParams({ ...request, client_id: client.clientId });
  assert.equal((await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" })).status, 303);
  assert.equal((await server.form("/oauth/v2/par", request, client.basic)).status, 201);
  const email = { email: `ada-${round}@mail.example`, sendCode: {} };
  const sent = await server.rest("POST", `/v2/users/${user.userId}/email`, { body: email });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
}

eachEngine((_open, engine) => {
  test("a year of use leaves no more rows than its first half did, but for history", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { database } = server.app.domain;
    const tables = await tablesOf(database, engine);
    assert.ok(tables.length > 40, tables.join());
    const counts: Map<string, number>[] = [];
    for (let round = 0; round < rounds; round++) {
      await use(server, round);
      await server.app.jobs.tick();
      counts.push(await countRows(database, tables));
      server.clock.now += between;
      await server.app.jobs.tick();
    }
    // Keys come and go with their rotation, so peaks are compared.
    const peak = (table: string, part: readonly Map<string, number>[]): number =>
      Math.max(...part.map((each) => each.get(table) ?? 0));
    const peaks = tables.map((table) => ({
      table,
      before: peak(table, counts.slice(0, rounds / 2)),
      after: peak(table, counts.slice(rounds / 2)),
    }));
    const grown = peaks.filter(({ before, after }) => after > before);
    assert.deepEqual(
      grown.filter(({ table }) => !history.test(table)),
      [],
    );
    assert.ok(
      grown.some(({ table }) => table === "events"),
      "the use was written down",
    );
  });
});
