import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import pg from "pg";
import { eachEngine } from "../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addPerson } from "../support/people/people.ts";
import { findHalfEffects, halfEffects, type Query } from "./support/half-effects.ts";

/**
 * What a crash in the middle of a write would leave if writes were not whole, and under which name it must be reported.
 */
const planted: readonly { readonly statement: string; readonly reports: RegExp }[] = [
  { statement: "delete from events where type = 'user.created'", reports: /users with a hole|users without the event/ },
  { statement: "update users set sequence = sequence + 1", reports: /users without the event/ },
  { statement: "delete from users where username = 'ada'", reports: /events of user without a row/ },
  { statement: "update sessions set sequence = sequence + 1", reports: /sessions without the event/ },
  { statement: "delete from sessions", reports: /events of session without a row/ },
  {
    statement: "delete from events where aggregate_type = 'session' and sequence = 1",
    reports: /sessions with a hole/,
  },
  { statement: "delete from events where type = 'token_family.refreshed'", reports: /access tokens are not those/ },
  { statement: "update token_families set sequence = sequence + 1", reports: /token_families without the event/ },
  { statement: "delete from token_families", reports: /tokens without a family/ },
  { statement: "delete from token_families", reports: /events of token_family without a row/ },
  { statement: "delete from token_families", reports: /codes that were used for nothing/ },
  { statement: "delete from access_tokens", reports: /access tokens are not those/ },
  { statement: "update refresh_tokens set consumed_at = null", reports: /used refresh tokens are not those/ },
  { statement: "update refresh_tokens set consumed_at = 1", reports: /more or less than one unused refresh token/ },
  { statement: "update token_families set revoked_at = 1", reports: /families revoked without an event/ },
  { statement: "update access_tokens set revoked_at = 1", reports: /access tokens revoked without an event/ },
  { statement: "update authorization_codes set consumed_at = null", reports: /codes that were used for nothing/ },
  { statement: "update authorization_codes set family_id = null", reports: /came of no code/ },
  { statement: "update auth_requests set answered_at = null", reports: /answered without a code/ },
  { statement: "delete from authorization_codes", reports: /answered without a code/ },
  { statement: "update sessions set terminated_at = 1", reports: /sessions ended without an event/ },
  { statement: "delete from one_time_secrets", reports: /people without the code/ },
  { statement: "delete from notifications", reports: /people without the code/ },
  { statement: "update notifications set user_id = 'nobody'", reports: /codes or mails for nobody/ },
  { statement: "delete from projects where name = 'Shop'", reports: /events of project without a row/ },
  { statement: "update projects set sequence = sequence + 1", reports: /projects without the event/ },
  { statement: "delete from events where type = 'project.created'", reports: /projects without the event/ },
  { statement: "delete from applications", reports: /events of application without a row/ },
  { statement: "update applications set sequence = sequence + 1", reports: /applications without the event/ },
  { statement: "delete from organizations", reports: /events of organization without a row/ },
  { statement: "update organizations set sequence = sequence + 1", reports: /organizations without the event/ },
];

eachEngine((_open, engine) => {
  test("what only a cut-off write could leave is reported, and a whole history is not", async (t) => {
    const server = await startOidcServer(t, { engine });
    await fill(server);
    await server.app.close();
    const { query, close } = await connect(server.location);
    try {
      assert.deepEqual(await findHalfEffects(query), []);
      for (const { statement, reports } of planted) {
        await query("begin");
        await query(statement);
        assert.match((await findHalfEffects(query)).join("\n"), reports, statement);
        await query("rollback");
      }
    } finally {
      await close();
    }
  });
});

test("every half effect that is looked for was planted", () => {
  const names = halfEffects.map(({ what }) => what).filter((what) => !/with a hole/.test(what));
  const unproven = names.filter((what) => !planted.some(({ reports }) => reports.test(what)));
  assert.deepEqual(unproven, []);
});

/** Some of everything that the suite writes. */
async function fill(server: OidcServer): Promise<void> {
  const { refresh_token: refreshToken = "", access_token: token = "" } = await server.tokens({
    scope: "openid offline_access",
  });
  const refreshed = await server.form(
    "/oauth/v2/token",
    { grant_type: "refresh_token", refresh_token: refreshToken },
    server.client.basic,
  );
  assert.equal(refreshed.status, 200);
  assert.equal((await server.form("/oauth/v2/revoke", { token }, server.client.basic)).status, 200);
  const person = await addPerson(server, { username: "to-be-deleted" });
  assert.equal((await server.rest("DELETE", `/v2/users/${person.userId}`, { body: {} })).status, 200);
  const profile = { givenName: "Un", familyName: "Verified" };
  const human = { profile, email: { email: "unverified@mail.example", sendCode: {} } };
  const body = { organizationId: server.organizationId, username: "unverified", human };
  assert.equal((await server.rest("POST", "/v2/users/new", { body })).status, 200);
  const session = { body: { checks: { user: { userId: server.user.userId } } } };
  const { sessionId } = (await server.rest("POST", "/v2/sessions", session)).body;
  assert.equal((await server.rest("PATCH", `/v2/sessions/${sessionId}`, { body: {} })).status, 200);
}

async function connect(location: OidcServer["location"]): Promise<{ query: Query; close(): Promise<void> }> {
  if (location.directory !== undefined) {
    const database = new DatabaseSync(join(location.directory, "doorward.db"));
    return { query: async (statement) => database.prepare(statement).all(), close: async () => database.close() };
  }
  const client = new pg.Client(location.url);
  await client.connect();
  return {
    query: async (statement) => (await client.query<object>(statement)).rows,
    close: () => client.end(),
  };
}
