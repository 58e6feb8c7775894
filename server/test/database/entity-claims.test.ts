import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("the upgrade keeps entity ids for the organizations whose applications have them", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const migrationsDirectory = earlierMigrations(t, "0165");
    const before = await openDatabase({ warn: () => {}, ...location, migrationsDirectory });
    const call = testCall();
    await before.touch(call, async (tx) => {
      for (const id of ["a", "b"]) {
        await tx.run(sql`insert into applications (instance_id, application_id, project_id, organization_id, name, name_key,
            state, kind, client_id, configuration, sequence, created_at, changed_at)
          values (${tx.instanceId}, ${id}, 'p', ${`of ${id}`}, ${id}, ${id}, 'active', 'saml', ${id}, '{}', 1, 1, 1)`);
        await tx.run(sql`insert into saml_partners (instance_id, entity_id, application_id, client_id)
          values (${tx.instanceId}, ${`urn:${id}`}, ${id}, ${id})`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const claims = await after.read.all<{
      entityId: string;
      organizationId: string;
    }>(sql`select entity_id as "entityId", organization_id as "organizationId"
      from saml_entity_claims where instance_id = ${call.instanceId} order by entity_id`);
    assert.deepEqual(
      claims.map(({ entityId, organizationId }) => [entityId, organizationId]),
      [
        ["urn:a", "of a"],
        ["urn:b", "of b"],
      ],
    );
  });
});
