import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { hostedLogin } from "../../src/domain/session/session.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("sessions of the hosted login from before the upgrade belong to no account", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0128"),
    });
    const call = testCall();
    await before.touch(call, async (tx) => {
      for (const creatorId of ["login", "operator", "login-client"]) {
        await tx.run(sql`insert into sessions (instance_id, session_id, creator_id, factors, metadata, user_agent, sequence,
            created_at, changed_at)
          values (${tx.instanceId}, ${`of-${creatorId}`}, ${creatorId}, '{}', '{}', '{}', 1, 1, 1)`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const rows = await after.read.all<{ creatorId: string }>(
      sql`select creator_id as "creatorId" from sessions order by session_id`,
    );
    assert.deepEqual(
      rows.map(({ creatorId }) => creatorId),
      [hostedLogin, "login-client", "/operator"],
    );
  });
});
