import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((_open, engine) => {
  test("the upgrade writes the origins of the applications to which links of messages led before", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const migrationsDirectory = earlierMigrations(t, "0206");
    const before = await openDatabase({ warn: () => {}, ...location, migrationsDirectory });
    const call = testCall();
    const configuration = (host: string) => ({
      redirectUris: [`https://${host}/a`, `https://${host}/b`, `HTTPS://${host}:444/`, "app.example:/callback"],
      loginVersion: { kind: "v2", baseUri: `http://login.${host}/` },
    });
    const applications = {
      plain: { state: "active", requiresConsent: 0, isRegistered: false },
      inactive: { state: "inactive", requiresConsent: 0, isRegistered: false },
      asking: { state: "active", requiresConsent: 1, isRegistered: false },
      stranger: { state: "active", requiresConsent: 1, isRegistered: true },
      vouched: { state: "active", requiresConsent: 0, isRegistered: true },
    };
    // More than are read at once.
    const others = Array.from({ length: 120 }, (_, n) => [`other${n}`, applications.plain] as const);
    await before.touch(call, async (tx) => {
      for (const [id, { state, requiresConsent, isRegistered }] of [...Object.entries(applications), ...others]) {
        await tx.run(sql`insert into applications (instance_id, application_id, project_id, organization_id, name, name_key,
            state, kind, client_id, configuration, requires_consent, sequence, created_at, changed_at)
          values (${tx.instanceId}, ${id}, 'p', 'o', ${id}, ${id}, ${state}, 'oidc', ${id},
            ${JSON.stringify(configuration(`${id}.example`))}, ${requiresConsent}, 1, 1, 1)`);
        if (!isRegistered) continue;
        await tx.run(sql`insert into registrations (instance_id, client_id, application_id, organization_id, kind, metadata,
            sequence, created_at)
          values (${tx.instanceId}, ${id}, ${id}, 'o', 'token', '{}', 1, 1)`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const rows = await after.read.all<{ id: string; origin: string }>(sql`select application_id as "id", origin
      from application_origins where instance_id = ${call.instanceId} and organization_id = 'o'
      order by application_id, origin`);
    const found = Map.groupBy(rows, ({ id }) => id);
    const counted = ["plain", "asking", "vouched", ...others.map(([id]) => id)];
    assert.deepEqual([...found.keys()].toSorted(), counted.toSorted());
    for (const [id, ofOne] of found) {
      assert.deepEqual(
        ofOne.map(({ origin }) => origin),
        [`http://login.${id}.example`, `https://${id}.example`, `https://${id}.example:444`],
      );
    }
  });
});
