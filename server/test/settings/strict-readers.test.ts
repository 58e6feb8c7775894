import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readSettings } from "../../src/domain/settings/index.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const profiles = ["strict", "standard"] as const;

eachServer((start) => {
  for (const profile of profiles) {
    test(`every reader of settings sees what holds, inside of a unit of work as well (${profile})`, async (t) => {
      const server = await start(t, { config: { profile } });
      const { domain } = server.app;
      const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      const owner = await addPerson(server, { username: "owner" });
      await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
      const isStrict = profile === "strict";
      const scope = { instanceId, userId: owner.userId };
      const call = testCall({ instanceId, now: server.clock.now });
      const login = [
        domain.settings.get("login", scope),
        domain.settings.getCommitted("login", scope),
        readSettings(domain.database.read, "login", scope),
        domain.database.touch(call, (tx) => readSettings(tx, "login", scope)),
      ];
      for (const { settings } of await Promise.all(login)) {
        assert.deepEqual([settings.allowRegister, settings.forceMfa], [!isStrict, isStrict]);
      }
      const inside = await domain.database.touch(call, (tx) => readSettings(tx, "oidc", { instanceId }));
      assert.equal(inside.settings.accessTokenLifetimeSeconds, isStrict ? 600 : 43_200);
    });
  }

  test("sending back what the strict profile shows stores none of it, and another value is stored", async (t) => {
    const strict = await start(t, { config: { profile: "strict" } });
    const shown = (await strict.rest("GET", "/v2/settings/security")).body.settings;
    assert.equal(shown.clientIdMetadataDocument?.allowAnyUrl ?? false, false);
    const read = (await strict.rest("GET", "/admin/v1/policies/login")).body.policy;
    assert.equal(read.allowRegister ?? false, false);
    const write = (body: object) => strict.rest("PUT", "/admin/v1/policies/login", { body });
    const sentBack = await write({ ...read, allowRegister: false, hidePasswordReset: true });
    assert.equal(sentBack.status, 200, JSON.stringify(sentBack.body));
    await strict.rest("PUT", "/admin/v1/settings/oidc", {
      body: {
        accessTokenLifetime: "600s",
        idTokenLifetime: "1800s",
        refreshTokenIdleExpiration: "86400s",
        refreshTokenExpiration: "864000s",
      },
    });
    await strict.app.close();
    const { location, ownerToken } = strict;
    const server = await start(t, { location, ownerToken });
    const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const { settings: login } = await server.app.domain.settings.get("login", { instanceId });
    assert.deepEqual([login.allowRegister, login.hidePasswordReset], [true, true]);
    const { settings: oidc } = await server.app.domain.settings.get("oidc", { instanceId });
    assert.deepEqual([oidc.accessTokenLifetimeSeconds, oidc.idTokenLifetimeSeconds], [43_200, 1800]);
  });
});

test("nothing but the reader makes settings of stored documents", () => {
  const source = join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  assert.ok(files.length > 500);
  const using = (pattern: RegExp): string[] =>
    files.filter((name) => pattern.test(readFileSync(join(source, name), "utf8"))).toSorted();
  assert.deepEqual(using(/\b(?:find|list)StoredSettings\(/), [
    "domain/settings/settings-reader.ts",
    "domain/settings/settings.store.ts",
  ]);
  // Writers lock what is stored; the doctor and the guard against lockout look at all documents.
  assert.deepEqual(using(/\b(?:from|join) settings\b/), [
    "domain/settings/documents-of-kind.store.ts",
    "domain/settings/settings.store.ts",
    "domain/settings/sign-in-gap.store.ts",
  ]);
  assert.deepEqual(using(/\b(?:lock|hold)StoredSettings\(/), [
    "domain/settings/change-offered.ts",
    "domain/settings/refuse-sign-in-gap.ts",
    "domain/settings/settings.store.ts",
    "domain/settings/write-settings.ts",
  ]);
});
