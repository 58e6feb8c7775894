import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { findIdentityProvider } from "../../src/domain/identity-provider/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("administrators who answered for a provider before the upgrade keep their permissions of then, and no more", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0121"),
    });
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
    const after = await openDatabase({ warn: () => {}, ...location });
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
