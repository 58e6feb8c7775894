import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase, sql } from "../../src/database/index.ts";
import { isProjectAtHome } from "../../src/domain/authorization/index.ts";
import { readSettings, type SettingsKind } from "../../src/domain/settings/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { testCall } from "../support/operations/call.ts";

interface Stored {
  readonly instanceId: string;
  readonly organizationId?: string;
  readonly kind: SettingsKind;
  readonly document: object;
}

eachEngine((_open, engine) => {
  test("instances that exist keep the values that they relied on, and new ones have the new values", async (t) => {
    const location = await makeEmptyLocation(t, engine);
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0102"),
    });
    const call = testCall();
    const stored: Stored[] = [
      { instanceId: "partial", kind: "oidc", document: { idTokenLifetimeSeconds: 60, deviceCodeLifetimeSeconds: 9 } },
      { instanceId: "partial", kind: "login", document: { forceMfa: true } },
      { instanceId: "partial", organizationId: "o", kind: "login", document: { hidePasswordReset: true } },
      { instanceId: "partial", organizationId: "closed", kind: "login", document: { allowRegister: false } },
      { instanceId: "partial", organizationId: "o2", kind: "login", document: { passwordCheckLifetimeSeconds: 8 } },
      { instanceId: "chosen", kind: "oidc", document: { accessTokenLifetimeSeconds: 5, idTokenLifetimeSeconds: 6 } },
      { instanceId: "chosen", kind: "login", document: { allowRegister: false, secondFactors: ["otp_email"] } },
      { instanceId: "chosen", kind: "lockout", document: { maxPasswordAttempts: 3 } },
      { instanceId: "chosen", kind: "domain", document: { requireOrganizationDomainProof: true } },
      { instanceId: "partial", kind: "lockout", document: { maxOtpAttempts: 7 } },
      { instanceId: "partial", kind: "security", document: { enableImpersonation: true } },
    ];
    await before.touch(call, async (tx) => {
      for (const instanceId of ["none", "partial", "chosen"]) {
        await tx.run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id,
            system_project_id, sequence, created_at, changed_at)
          values (${instanceId}, ${instanceId}, 'active', 'en', 'o', 'p', 3, 1, 2)`);
      }
      await tx.run(sql`insert into project_grants (instance_id, grant_id, project_id, organization_id,
          granted_organization_id, state, sequence, created_at, changed_at)
        values ('none', 'g', 'p', 'owner', 'o', 'active', 1, 1, 1)`);
      for (const [userId, organizationId] of [
        ["u", "o"],
        ["other", "x"],
      ] as const) {
        await tx.run(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key,
            preferred_login_name, login_name_key, display_name, sequence, created_at, changed_at,
            is_password_change_required, failed_password_checks)
          values ('none', ${userId}, ${organizationId}, 'human', 'active', ${userId}, ${userId}, ${userId}, ${userId},
            ${userId}, 1, 1, 1, 0, 0)`);
      }
      for (const { instanceId, organizationId = "", kind, document } of stored) {
        await tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
          values (${instanceId}, ${organizationId}, ${kind}, ${JSON.stringify(document)}, 1, 1, 1)`);
      }
    });
    await before.close();
    const between = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0115"),
    });
    await between.touch(call, (tx) =>
      tx.run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id,
          system_project_id, sequence, created_at, changed_at)
        values ('later', 'later', 'active', 'en', 'o', 'p', 3, 9999999999999, 9999999999999)`),
    );
    await between.close();
    const database = await openDatabase({ warn: () => {}, ...location });
    t.after(() => database.close());
    const oidcOf = async (instanceId: string) => (await readSettings(database.read, "oidc", { instanceId })).settings;
    const loginOf = async (instanceId: string, organizationId?: string) =>
      (await readSettings(database.read, "login", { instanceId, organizationId })).settings;
    const halfDay = 12 * 3600;
    const lifetimes: Record<string, readonly [number, number, number]> = {};
    for (const instanceId of ["none", "partial", "chosen"]) {
      const oidc = await oidcOf(instanceId);
      const { accessTokenLifetimeSeconds, idTokenLifetimeSeconds, deviceCodeLifetimeSeconds } = oidc;
      lifetimes[instanceId] = [accessTokenLifetimeSeconds, idTokenLifetimeSeconds, deviceCodeLifetimeSeconds];
    }
    assert.deepEqual(lifetimes, { none: [halfDay, halfDay, 300], partial: [halfDay, 60, 9], chosen: [5, 6, 300] });
    assert.equal((await loginOf("none")).allowRegister, true);
    assert.deepEqual([(await loginOf("partial")).allowRegister, (await loginOf("partial")).forceMfa], [true, true]);
    const own = await loginOf("partial", "o");
    assert.deepEqual([own.allowRegister, own.hidePasswordReset, own.forceMfa], [true, true, false]);
    assert.equal((await loginOf("partial", "closed")).allowRegister, false);
    assert.equal((await loginOf("chosen")).allowRegister, false);
    // Applications of one organization and people of another: as before, until an administrator decides otherwise.
    const skips: Record<string, unknown> = {};
    for (const instanceId of ["none", "partial", "chosen", "new"]) {
      const { settings } = await readSettings(database.read, "security", { instanceId });
      skips[instanceId] = [settings.skipConsentAcrossOrganizations, settings.enableImpersonation];
    }
    assert.deepEqual(skips, { none: [true, false], partial: [true, true], chosen: [true, false], new: [false, false] });
    const kept: Record<string, unknown> = {};
    for (const instanceId of ["none", "partial", "chosen", "later", "new"]) {
      const { settings: lockout } = await readSettings(database.read, "lockout", { instanceId });
      const { settings: domain } = await readSettings(database.read, "domain", { instanceId });
      const { secondFactors } = await loginOf(instanceId);
      kept[instanceId] = [lockout.maxPasswordAttempts, domain.requireOrganizationDomainProof, secondFactors];
    }
    const factors = ["totp", "u2f"];
    assert.deepEqual(kept, {
      none: [100, false, factors],
      partial: [100, false, factors],
      chosen: [3, true, ["otp_email"]],
      later: [0, true, [...factors, "recovery_codes"]],
      new: [0, true, [...factors, "recovery_codes"]],
    });
    const { settings: partial } = await readSettings(database.read, "lockout", { instanceId: "partial" });
    assert.equal(partial.maxOtpAttempts, 7);
    assert.deepEqual((await loginOf("partial", "o")).secondFactors, factors);
    // For how long a password and a sign-in at an identity provider count.
    const checks: Record<string, readonly [number, number]> = {};
    for (const owner of ["none", "partial", "partial/o", "partial/o2", "chosen", "later", "new"]) {
      const { passwordCheckLifetimeSeconds: password, externalLoginCheckLifetimeSeconds: external } = await loginOf(
        ...(owner.split("/") as [string, string?]),
      );
      checks[owner] = [password / 3600, external / 3600];
    }
    assert.deepEqual(checks, {
      none: [240, 240],
      partial: [240, 240],
      "partial/o": [240, 240],
      "partial/o2": [8 / 3600, 240],
      chosen: [240, 240],
      later: [240, 240],
      new: [12, 12],
    });
    const home = { userId: "u", project: { projectId: "p", organizationId: "owner" } };
    assert.equal(await isProjectAtHome(database.read, "none", home), true, "a grant of before");
    assert.equal(await isProjectAtHome(database.read, "none", { ...home, userId: "other" }), false);
  });
});
