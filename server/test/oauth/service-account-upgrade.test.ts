import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql, text } from "../../src/database/index.ts";
import { migrationsDirectory } from "../../src/database/migrations.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { basicOf, startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("tokens that an older version gave to service accounts are renamed, others stay (A10)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client, organizationId } = server;
    const machine = { organizationId, username: client.clientId, machine: { name: "Robot" } };
    const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    const { clientSecret } = (await server.rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
    const request = { grant_type: "client_credentials", scope: "openid" };
    const { body } = await server.form("/oauth/v2/token", request, basicOf(client.clientId, clientSecret));
    const { access_token: own = "" } = await server.tokens();
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const run = (statement: ReturnType<typeof sql>) =>
      database.touch(testCall({ instanceId, now: server.clock.now }), (tx) => tx.run(statement));
    const families = sql`select family_id from token_families where user_id = ${userId}`;
    const { clientId } = client;
    await run(sql`update access_tokens set audience = ${clientId} where family_id in (${families})`);
    await run(sql`update token_families set client_id = ${clientId}, audience = ${clientId} where user_id = ${userId}`);
    const before = await server.introspect(body.access_token);
    assert.deepEqual([before["active"], before["client_id"]], [true, clientId], "as it was");

    const migration = readFileSync(join(migrationsDirectory, "0083_service_account_clients.sql"), "utf8");
    for (const statement of migration.split(";").filter((one) => /^(update|insert|delete)/m.test(one))) {
      await run(sql`${text(statement.slice(statement.search(/^(update|insert|delete)/m)) as never)}`);
    }
    assert.equal((await server.introspect(body.access_token))["active"], false);
    assert.equal((await server.introspect(own))["active"], true);
    const row = await database.read.maybe<{ clientId: string; audience: string; tokenAudience: string }>(
      sql`select f.client_id as "clientId", f.audience, a.audience as "tokenAudience" from token_families f
        join access_tokens a on a.instance_id = f.instance_id and a.family_id = f.family_id where f.user_id = ${userId}`,
    );
    assert.deepEqual({ ...row }, { clientId: userId, audience: userId, tokenAudience: userId });
  });
});
