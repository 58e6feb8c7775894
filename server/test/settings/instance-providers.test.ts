import assert from "node:assert/strict";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { addStaff, createTrust, isIn } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addBare, linked } from "./support/bare-users.ts";
import { handsOf } from "./support/settings-hands.ts";

serversInTurn((start, test) => {
  test("settings of an organization leave administrators of the instance the instance's providers (U3)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const { organizationId, manager } = await addStaff(server, "acme");
    const managers = handsOf(server, organizationId, manager.token);
    const ivo = await addBare(server, organizationId, { username: "ivo" }, { instance: true }, "IAM_OWNER");
    const idpId = await linked(server, "", { provider, userId: ivo.userId });
    await changeSettings(server, "login", { hidePasswordReset: true });
    const body = { checks: { user: { userId: ivo.userId }, idpIntent: await provenAttempt(server, provider, idpId) } };
    const { sessionToken: token } = (await server.rest("POST", "/v2/sessions", { body })).body;
    const works = async () => (await server.rest("POST", "/admin/v1/members/_search", { body: {}, token })).status;
    const comesIn = async () => isIn(await trust.throughPages("", idpId, provider));
    assert.deepEqual([await works(), await comesIn()], [200, true]);
    assert.equal(await managers.setPolicy("POST", { allowUsernamePassword: true, allowExternalIdp: false }), "done");
    assert.deepEqual([await works(), await comesIn()], [200, true]);
    await changeSettings(server, "login", { allowExternalIdp: true, identityProviderIds: [] }, organizationId);
    assert.deepEqual([await works(), await comesIn()], [200, true]);
  });
});
