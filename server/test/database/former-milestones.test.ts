import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { listReached } from "../../src/domain/milestone/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("existing instances have reached what their oldest project and application show", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const migrationsDirectory = earlierMigrations(t, "0147");
    const before = await openDatabase({ warn: () => {}, ...location, migrationsDirectory });
    const call = testCall();
    await before.touch(call, async (tx) => {
      await tx.run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id,
          system_project_id, sequence, created_at, changed_at)
        values (${tx.instanceId}, 'i', 'active', 'en', 'o', 'own', 1, 100, 100)`);
      for (const [id, createdAt] of [
        ["own", 100],
        ["late", 300],
        ["early", 200],
      ] as const) {
        await tx.run(sql`insert into projects (instance_id, project_id, organization_id, name, name_key, state,
            is_role_assertion_on, is_authorization_required, is_project_access_required, private_labeling,
            sequence, created_at, changed_at)
          values (${tx.instanceId}, ${id}, 'o', ${id}, ${id}, 'active', 0, 0, 0, 'unspecified', 1, ${createdAt}, ${createdAt})`);
        await tx.run(sql`insert into applications (instance_id, application_id, project_id, organization_id, name,
            name_key, state, kind, client_id, configuration, sequence, created_at, changed_at)
          values (${tx.instanceId}, ${id}, ${id}, 'o', ${id}, ${id}, 'active', 'api', ${id}, '{}', 1,
            ${createdAt + 50}, ${createdAt})`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const reached = new Map((await listReached(after.read, call.instanceId)).map((row) => [row.type, row.reachedAt]));
    assert.deepEqual([...reached].sort(), [
      ["application_created", 250],
      ["instance_created", 100],
      ["project_created", 200],
    ]);
  });
});
