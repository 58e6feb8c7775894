import assert from "node:assert/strict";
import { test } from "node:test";
import { generateMasterKey, parseMasterKey } from "../../../src/base/master-key.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { Secret } from "../../../src/base/secret.ts";
import { createVault, VaultError } from "../../../src/base/vault.ts";
import { type Database, sql, text } from "../../../src/database/index.ts";
import { countSealedByFormerKeys, reencrypt, sealedColumns } from "../../../src/domain/reencryption/index.ts";
import { knowProvider, startAttempt } from "../../identity-provider/attempts.ts";
import { noteUnits } from "../../support/databases/noted-units.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { testCall } from "../../support/operations/call.ts";
import { addPerson } from "../../support/people/people.ts";
import { eachServer } from "../../support/servers/each-server.ts";

/** Every column of text, as the engine knows them. */
function columnsOf({ engine, read }: Database): Promise<{ table: string; column: string }[]> {
  return read.all(
    engine === "sqlite"
      ? sql`select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_info(t.name) c
          where t.schema = 'main' and t.type = 'table' and lower(c.type) = 'text'`
      : sql`select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = 'public' and data_type = 'text'`,
  );
}

eachServer((start) => {
  test("a new master key takes over everything that was sealed, and the former one is needed no longer", async (t) => {
    const [old, next] = [generateMasterKey(systemRandom), generateMasterKey(systemRandom)];
    const server = await start(t, { config: { masterKeys: [new Secret(old)] } });
    const { database } = server.app.domain;
    const provider = await startTestProvider(t, () => server.clock.now);
    const idp = await knowProvider(server, provider);
    await startAttempt(server, idp);
    const ada = await addPerson(server, { username: "ada" });
    const target = { name: "t", endpoint: "https://target.example/", restAsync: {}, timeout: "10s" };
    for (const [path, body] of [
      [`/v2/users/${ada.userId}/totp`, {}],
      ["/v2/actions/targets", target],
      [`/v2/users/${ada.userId}/email`, { email: "ada-new@mail.example", sendCode: {} }],
    ] as const) {
      const answer = await server.rest("POST", path, { body });
      assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    }

    const oldVault = createVault({ writing: parseMasterKey(old), random: systemRandom });
    const isSealed = async ({ table, column }: { table: string; column: string }): Promise<boolean> => {
      const [at, value] = [text(table as "users"), text(column as "state")];
      const rows = await database.read.all(
        sql`select 1 as "found" from ${at} where ${value} like ${`${oldVault.newest}%`} limit 1`,
      );
      return rows.length > 0;
    };
    const holding: string[] = [];
    for (const each of await columnsOf(database)) {
      if (await isSealed(each)) holding.push(`${each.table}.${each.column}`);
    }
    const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    assert.deepEqual(
      holding.filter((column) => !known.some((each) => each === column)),
      [],
      "a sealed column is not known",
    );
    for (const column of [
      "signing_keys.private_key",
      "identity_providers.sealed_secret",
      "user_factors.sealed_secret",
      "targets.signing_key",
      "notifications.sealed_values",
      "identity_intents.sealed_request",
    ]) {
      assert.ok(holding.includes(column), `nothing is sealed in ${column}`);
    }

    const both = createVault({ writing: parseMasterKey(next), reading: [parseMasterKey(old)], random: systemRandom });
    const waiting = await countSealedByFormerKeys(database.read, both);
    assert.ok(waiting >= holding.length);
    const never = new AbortController().signal;
    const run = (vault: typeof both) => reencrypt({ database, vault }, testCall({ instanceId: "" }), never);
    const instances = noteUnits(database);
    // Two nodes at once: each value is written once.
    const runs = await Promise.all([run(both), run(both)]);
    assert.equal(
      runs.reduce((sum, { moved }) => sum + moved, 0),
      waiting,
    );
    assert.ok(instances.length > 0 && !instances.includes(""), "units of work are those of an instance");
    assert.deepEqual(await run(both), { moved: 0, unreadable: 0 });
    assert.equal(await countSealedByFormerKeys(database.read, both), 0);

    const alone = createVault({ writing: parseMasterKey(next), random: systemRandom });
    for (const { table, column, contextKey, part } of sealedColumns) {
      const rows = await database.read.all<{ instanceId: string; contextKey: string; value: string }>(
        sql`select instance_id as "instanceId", ${text(contextKey)} as "contextKey", ${text(column)} as "value" from ${text(table)}
          where ${text(column)} is not null and ${text(column)} <> ''`,
      );
      for (const row of rows) alone.decrypt(row.value, `${table}/${row.instanceId}/${row.contextKey}/${part}`);
    }
    // A key that is lost is reported, and the values under it stay.
    const other = createVault({ writing: parseMasterKey(old), random: systemRandom });
    const { moved, unreadable } = await run(other);
    assert.deepEqual([moved, unreadable], [0, waiting]);
    assert.throws(() => other.decrypt("v1.x.y.z", "c"), VaultError);
  });
});
