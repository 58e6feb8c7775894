import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../../src/database/index.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../../support/databases/former-database.ts";
import { testCall } from "../../support/operations/call.ts";

/** Clients whose notices wait during the upgrade, with whether a stranger is told. */
const clients = {
  own: { isRegistered: false, requiresConsent: 0, hasOwnAddresses: 0, isOfStranger: 0 },
  ownWithConsent: { isRegistered: false, requiresConsent: 1, hasOwnAddresses: 0, isOfStranger: 0 },
  stranger: { isRegistered: true, requiresConsent: 1, hasOwnAddresses: 0, isOfStranger: 1 },
  vouched: { isRegistered: true, requiresConsent: 0, hasOwnAddresses: 0, isOfStranger: 0 },
  moved: { isRegistered: true, requiresConsent: 0, hasOwnAddresses: 1, isOfStranger: 1 },
} as const;

eachEngine((_open, engine) => {
  test("notices that wait during the upgrade get the organization of their application, and whose address it is", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0215"),
    });
    await before.touch(testCall(), async (tx) => {
      for (const [id, { isRegistered, requiresConsent, hasOwnAddresses }] of Object.entries(clients)) {
        await tx.run(sql`insert into applications (instance_id, application_id, project_id, organization_id, name, name_key,
            state, kind, client_id, configuration, requires_consent, sequence, created_at, changed_at)
          values (${tx.instanceId}, ${`app-${id}`}, 'p', ${`org-${id}`}, ${id}, ${id}, 'active', 'oidc', ${id}, '{}',
            ${requiresConsent}, 1, 1, 1)`);
        if (!isRegistered) continue;
        await tx.run(sql`insert into registrations (instance_id, client_id, application_id, organization_id, kind, metadata,
            has_own_addresses, sequence, created_at)
          values (${tx.instanceId}, ${id}, ${`app-${id}`}, ${`org-${id}`}, 'open', '{}', ${hasOwnAddresses}, 1, 1)`);
      }
      for (const id of [...Object.keys(clients), "gone"]) {
        await tx.run(sql`insert into logout_notices (instance_id, session_id, client_id, user_id, owner_id, attempts,
            next_attempt_at, created_at)
          values (${tx.instanceId}, 's', ${id}, 'u', 'o', 0, 1, 1)`);
      }
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const rows = await after.read.all<{ clientId: string; organizationId: string; isOfStranger: number }>(
      sql`select client_id as "clientId", organization_id as "organizationId", is_of_stranger as "isOfStranger"
        from logout_notices`,
    );
    const expected = Object.entries(clients).map(([id, { isOfStranger }]) => [id, [`org-${id}`, isOfStranger]]);
    assert.deepEqual(
      Object.fromEntries(rows.map(({ clientId, ...payer }) => [clientId, Object.values(payer)])),
      Object.fromEntries([...expected, ["gone", ["", 0]]]),
    );
  });
});
