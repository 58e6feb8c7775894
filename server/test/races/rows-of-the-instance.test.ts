import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccess } from "../../src/call/index.ts";
import type { Tx } from "../../src/database/index.ts";
import { writeSettings } from "../../src/domain/settings/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { untilWaiting } from "../support/databases/outside-transaction.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";

// On SQLite there is one writer.
onPostgres(() => {
  test("a tenant that changes its login settings holds nothing of the instance (A28)", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const organizationId = await addOrganization(server, "Tenant");
    const configuration = oidcAt("https://provider.example");
    const [ofInstance, own] = [
      await putProvider(server, { configuration }),
      await putProvider(server, { configuration, organizationId }),
    ];
    const { database, clock, findInstanceByHost } = server.app.domain;
    const instanceId = (await findInstanceByHost("localhost"))?.instanceId ?? "";
    const permissions = new Set(["policy.write", "org.read"]);
    const access = createAccess([{ level: "organization", resourceId: organizationId, permissions }]);
    const caller = { userId: "manager", organizationId, access };
    const put = (hidePasswordReset: boolean) =>
      server.rest("PUT", "/admin/v1/policies/login", {
        body: { allowUsernamePassword: true, allowExternalIdp: true, hidePasswordReset },
      });
    assert.equal((await put(false)).status, 200);
    const [isHeld, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const write = (tx: Tx) =>
      writeSettings(tx, {
        kind: "login",
        organizationId,
        change: (current) => ({ ...current, allowExternalIdp: true, identityProviderIds: [ofInstance, own] }),
      });
    const unit = database.change(testCall({ instanceId, now: clock(), caller }), async (tx) => {
      await write(tx);
      isHeld.resolve();
      await goOn.promise;
    });
    await Promise.race([isHeld.promise, unit]);
    let ownClosed: ReturnType<typeof server.rest> | undefined;
    try {
      const changed = await put(true);
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const closed = await server.rest("POST", `/admin/v1/idps/${ofInstance}/_deactivate`, { body: {} });
      assert.equal(closed.status, 200, JSON.stringify(closed.body));
      ownClosed = server.rest("POST", `/management/v1/idps/${own}/_deactivate`, {
        headers: { "x-service-orgid": organizationId },
        body: {},
      });
      // Its own provider stays until the settings are written.
      await untilWaiting(database, 1);
    } finally {
      goOn.resolve();
      await unit;
    }
    assert.equal((await ownClosed)?.status, 200);
  });
});
