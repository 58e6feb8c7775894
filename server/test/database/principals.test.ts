import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { migrationsDirectory } from "../../src/database/migrations.ts";
import { hostedLogin } from "../../src/domain/session/session.ts";
import { testCall } from "../support/call.ts";
import { eachEngine, makeEmptyPostgres } from "../support/databases.ts";

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "doorward-test-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function earlierMigrations(t: TestContext): string {
  const directory = temporary(t);
  for (const file of readdirSync(migrationsDirectory)) {
    if (file.endsWith(".sql") && file < "0128") cpSync(join(migrationsDirectory, file), join(directory, file));
  }
  return directory;
}

eachEngine((_open, engine) => {
  test("sessions of the hosted login from before the upgrade belong to no account", async (t) => {
    const place = engine === "postgres" ? { url: await makeEmptyPostgres(t) } : { directory: temporary(t) };
    const before = await openDatabase({ warn: () => {}, ...place, migrationsDirectory: earlierMigrations(t) });
    const call = testCall();
    await before.touch(call, async (tx) => {
      for (const creatorId of ["login", "operator", "login-client"]) {
        await tx.run(sql`insert into sessions (instance_id, session_id, creator_id, factors, metadata, user_agent, sequence,
            created_at, changed_at)
          values (${tx.instanceId}, ${`of-${creatorId}`}, ${creatorId}, '{}', '{}', '{}', 1, 1, 1)`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...place });
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
