import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { onPostgres } from "../../support/databases/databases.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { exchangeGrant, extend, proofOf, typeOf } from "./support.ts";

onPostgres(() => {
  test("a user who is deleted while a token for them is issued is an invalid grant, and no failure", async (t) => {
    const started = await startOidcServer(t, { engine: "postgres" });
    const server = await extend(started);
    const { userId } = await server.person("grace");
    const actor = await server.personalAccessToken("robot");
    await server.appoint(actor.userId, ["IAM_END_USER_IMPERSONATOR"]);
    const exchange = () =>
      server.form("/oauth/v2/token", {
        ...proofOf(server, server.keyClient),
        grant_type: exchangeGrant,
        subject_token: userId,
        subject_token_type: typeOf.user_id,
        actor_token: actor.token,
        actor_token_type: typeOf.access_token,
        scope: "openid",
      });
    assert.equal((await exchange()).status, 200);

    const deletion = new pg.Client(started.location.url);
    await deletion.connect();
    await deletion.query("begin");
    await deletion.query("delete from users where user_id = $1", [userId]);
    const answer = exchange();
    for (;;) {
      const { rows } = await deletion.query("select 1 from pg_locks where not granted");
      if (rows.length > 0) break;
    }
    await deletion.query("commit");
    await deletion.end();
    const { status, body } = await answer;
    assert.deepEqual([status, body.error], [400, "invalid_grant"]);
  });
});
