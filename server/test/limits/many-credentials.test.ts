import assert from "node:assert/strict";
import { type Sql, sql } from "../../src/database/index.ts";
import { measureReads } from "../support/databases/read-amounts.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { createKeyedClient, makeKeyedAccount } from "../support/oidc/assertions.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";

const numbers = (most: number): Sql => sql`with recursive series(i) as (
  select 1 union all select i + 1 from series where i < ${most})`;

async function write(server: OidcServer, statement: Sql): Promise<void> {
  const { database, clock, findInstanceByHost } = server.app.domain;
  const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
  await database.touch(testCall({ instanceId, now: clock() }), (tx) => tx.run(statement));
}

// What importing a key does with them fails: only a key that is not looked at disturbs nothing.
const notKeys = "no key";

enginesInTurn((engine, test) => {
  test("an assertion reads and imports the key that it names, however many the account or client has", async (t) => {
    const server = await startOidcServer(t, { engine });
    const account = await makeKeyedAccount(server);
    const reads = measureReads(server.app.domain.database);
    const ask = async (): Promise<void> => {
      const { status, body } = await server.form("/oauth/v2/token", account.grant());
      assert.equal(status, 200, JSON.stringify(body));
    };
    await write(
      server,
      sql`insert into user_keys (instance_id, key_id, user_id, public_key, expires_at, sequence, created_at, changed_at)
        ${numbers(300)} select k.instance_id, k.key_id || '-' || cast(i as text), k.user_id, ${notKeys}, k.expires_at,
          k.sequence, k.created_at, k.changed_at from series, user_keys k`,
    );
    const { rows } = await reads.during(ask);
    assert.ok(rows < 100, `${rows} rows`);

    const keyed = await createKeyedClient(server);
    await write(
      server,
      sql`insert into application_keys (instance_id, key_id, application_id, public_key, expires_at, created_at)
        ${numbers(300)} select k.instance_id, k.key_id || '-' || cast(i as text), k.application_id, ${notKeys}, k.expires_at,
          k.created_at from series, application_keys k`,
    );
    const proven = await server.form("/oauth/v2/introspect", { token: "any", ...keyed.proof() });
    assert.equal(proven.status, 200, JSON.stringify(proven.body));
  });

  test("a service account has at most 100 valid keys, and as many personal access tokens", async (t) => {
    const server = await startOidcServer(t, { engine });
    const [{ userId }, other] = [await makeKeyedAccount(server), await makeKeyedAccount(server, "other")];
    const body = { expirationDate: "2100-01-01T00:00:00Z" };
    const soon = server.clock.now + 60_000;
    const added = async (what: string, id: string): Promise<string> => {
      const answer = await server.rest("POST", `/v2/users/${id}/${what}`, { body });
      return answer.status === 200 ? "added" : `${answer.status} ${answer.body.message}`;
    };
    for (const [what, table, id, rest] of [
      ["keys", sql`user_keys`, sql`key_id`, sql`public_key`],
      ["pats", sql`personal_access_tokens`, sql`token_id`, sql`token_hash, scope`],
    ] as const) {
      assert.equal(await added(what, userId), "added");
      const values = what === "keys" ? sql`${notKeys}` : sql`${"hash-"} || cast(i as text), c.scope`;
      await write(
        server,
        sql`insert into ${table} (instance_id, ${id}, user_id, ${rest}, expires_at, sequence, created_at, changed_at)
          ${numbers(what === "keys" ? 98 : 99)} select c.instance_id, 'made-' || cast(i as text), c.user_id, ${values},
            case when i = 1 then ${soon} else c.expires_at end, c.sequence, c.created_at, c.changed_at
          from series, (select * from ${table} where user_id = ${userId} order by created_at desc limit 1) c`,
      );
      assert.match(await added(what, userId), /^400 .*100/, `${what}: another one`);
      assert.equal(await added(what, other.userId), "added", `${what}: of another account`);
    }
    server.clock.now = soon;
    for (const what of ["keys", "pats"]) {
      assert.equal(await added(what, userId), "added", `${what}: one has expired`);
      assert.match(await added(what, userId), /^400 .*100/, `${what}: another one again`);
    }
  });
});
