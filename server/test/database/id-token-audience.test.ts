import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { findApplication } from "../../src/domain/application/index.ts";
import { defaultOidcConfiguration } from "../../src/domain/oidc-configuration/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("applications that exist keep the audience of their id tokens, and none is trusted (R5, A1)", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const { isTrustedForApi: _, isIdTokenAudienceWide: __, ...former } = defaultOidcConfiguration;
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0080"),
    });
    const call = testCall();
    const documents = { web: ["oidc", former], api: ["api", { authMethod: "client_secret_basic" }] } as const;
    for (const [id, [kind, configuration]] of Object.entries(documents)) {
      await before.touch(call, (tx) =>
        tx.run(sql`insert into applications (instance_id, application_id, project_id, organization_id, name, name_key,
            state, kind, client_id, configuration, initiates_login, sequence, created_at, changed_at)
          values (${call.instanceId}, ${id}, 'p', 'o', ${id}, ${id}, 'active', ${kind}, ${id},
            ${JSON.stringify(configuration)}, 0, 1, 1, 1)`),
      );
    }
    await before.close();
    const database = await openDatabase({ warn: () => {}, ...location });
    t.after(() => database.close());
    const configurationOf = async (id: string) =>
      (await findApplication(database.read, call.instanceId, id))?.configuration;
    assert.deepEqual(await configurationOf("web"), { ...defaultOidcConfiguration, isIdTokenAudienceWide: true });
    assert.deepEqual(await configurationOf("api"), { authMethod: "client_secret_basic" });
  });
});
