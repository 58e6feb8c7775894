import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { listIdle, noteUse } from "../../src/domain/registration/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("clients that were used before the upgrade have 90 days from then, and those that are vouched for all time", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0119"),
    });
    const call = testCall();
    const used = { stranger: { isConsentRequired: true }, vouched: { isConsentRequired: false }, older: {} };
    await before.touch(call, async (tx) => {
      for (const [id, configuration] of Object.entries(used)) {
        await tx.run(sql`insert into applications (instance_id, application_id, project_id, organization_id, name, name_key,
            state, kind, client_id, configuration, sequence, created_at, changed_at)
          values (${tx.instanceId}, ${id}, 'p', 'o', ${id}, ${id}, 'active', 'oidc', ${id}, ${JSON.stringify(configuration)}, 1, 1, 1)`);
        await tx.run(sql`insert into registrations (instance_id, client_id, application_id, organization_id, kind, metadata,
            source, expires_at, used_at, sequence, created_at)
          values (${tx.instanceId}, ${id}, ${id}, 'o', 'open', '{}', 's', 2, 1, 1, 1)`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const idle = async (now: number) => (await listIdle(after.read, now, 10)).map(({ applicationId }) => applicationId);
    const end = call.now + 90 * 86_400_000;
    assert.deepEqual(await idle(end), [], "before the first look");
    assert.equal(await after.touch(call, noteUse), 3);
    assert.equal(await after.touch(call, noteUse), 0);
    assert.deepEqual(await idle(end - 1), []);
    assert.deepEqual(await idle(end), ["stranger"]);
  });
});
