import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { migrationsDirectory } from "../../src/database/migrations.ts";
import { findIdentityProvider } from "../../src/domain/identity-provider/index.ts";
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
    if (file.endsWith(".sql") && file < "0121") cpSync(join(migrationsDirectory, file), join(directory, file));
  }
  return directory;
}

eachEngine((_open, engine) => {
  test("administrators who answered for a provider before the upgrade keep their permissions of then, and no more", async (t) => {
    const place = engine === "postgres" ? { url: await makeEmptyPostgres(t) } : { directory: temporary(t) };
    const before = await openDatabase({ warn: () => {}, ...place, migrationsDirectory: earlierMigrations(t) });
    const call = testCall();
    const former = [
      ["instance", "", "iam.idp.write user.write"],
      ["organization", 'a"b\\c', "org.idp.write"],
      ["unknown", "o", null],
    ] as const;
    await before.touch(call, async (tx) => {
      for (const [id, organizationId, answered] of former) {
        await tx.run(sql`insert into identity_providers (instance_id, identity_provider_id, organization_id, kind, name,
            name_key, state, is_linking_allowed, is_creation_allowed, is_auto_creation, is_auto_update, auto_linking,
            configuration, speaker, answered_with, sequence, created_at, changed_at)
          values (${tx.instanceId}, ${id}, ${organizationId}, 'oidc', ${id}, ${id}, 'active', 1, 1, 0, 0, 'none',
            '{"kind":"oidc"}', 's', ${answered}, 1, 1, 1)`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...place });
    t.after(() => after.close());
    const answeredBy = async (id: string) => (await findIdentityProvider(after.read, call.instanceId, id))?.answeredBy;
    assert.deepEqual(await answeredBy("instance"), [
      [{ level: "instance", resourceId: "", permissions: ["iam.idp.write", "user.write"] }],
    ]);
    assert.deepEqual(await answeredBy("organization"), [
      [{ level: "organization", resourceId: 'a"b\\c', permissions: ["org.idp.write"] }],
    ]);
    assert.equal(await answeredBy("unknown"), undefined);
  });
});
