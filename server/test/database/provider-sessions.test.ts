import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("sessions at providers of an earlier version keep the sessions here that they opened", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0163"),
    });
    await before.touch(testCall(), async (tx) => {
      for (const [instanceId, intentId, userId] of [
        ["i", "1", "vera"],
        ["i", "12", "vera"],
        ["i", "3", "walt"],
        ["i", "4", null],
        ["j", "1", "vera"],
      ]) {
        await tx.run(sql`insert into provider_sessions (instance_id, intent_id, identity_provider_id, speaker, user_id,
            name_id, name_id_values, created_at, expires_at)
          values (${instanceId}, ${intentId}, 'p', 's', ${userId}, 'n', '{}', 1, 2)`);
      }
      for (const [instanceId, sessionId, userId, intentId] of [
        ["i", "one", "vera", "1"],
        ["i", "two", "vera", "12"],
        ["i", "other", "wilma", "3"],
      ]) {
        const factors = JSON.stringify({ intentCheckedAt: 1, intentId });
        await tx.run(sql`insert into sessions (instance_id, session_id, user_id, creator_id, factors, metadata, user_agent,
            sequence, created_at, changed_at)
          values (${instanceId}, ${sessionId}, ${userId}, '/login', ${factors}, '{}', '{}', 1, 1, 1)`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const rows = await after.read.all<object>(sql`select instance_id, intent_id, session_id, ended_at
      from provider_sessions order by instance_id, intent_id`);
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [
        ["i", "1", "one", null],
        ["i", "12", "two", null],
        ["i", "3", null, null],
        ["i", "4", null, null],
        ["j", "1", null, null],
      ],
    );
  });
});
