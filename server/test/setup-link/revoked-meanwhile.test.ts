import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { beginOutside } from "../support/databases/outside-transaction.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { startServer } from "../support/servers/server.ts";
import { createLink, openLink, providersOf } from "./support.ts";

eachEngine((_open, engine) => {
  test("a revocation deactivates a provider that is added meanwhile", async (t) => {
    const server = await startServer(t, { engine });
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const link = await createLink(server, organizationId, { token });
    const { browser, page } = await openLink(server, link);
    // Another step of the holder has the link. On SQLite each unit of work is alone.
    const outside = engine === "postgres" ? await beginOutside(t, server.app.domain.database) : undefined;
    await outside?.run("select 1 from setup_links where link_id = $1 for share", [link.id]);
    const form = { provider_name: "Acme", issuer: provider.issuer, client_id: "a", client_secret: "b" };
    const adding = browser.submit(page, form, { action: "/oidc" });
    await (outside === undefined ? adding : outside.untilWaiting(1));
    const revoking = server.rest("POST", `/v2/setup_links/${link.id}/revoke`, { token, body: {} });
    await outside?.untilWaiting(2);
    await outside?.commit();
    await adding;
    const revoked = await revoking;
    assert.equal(revoked.status, 200, JSON.stringify(revoked.body));
    const [added] = await providersOf(server, organizationId);
    assert.equal(revoked.body.link.identityProviderId, added?.id);
    const headers = { "x-service-orgid": organizationId };
    const { idp } = (await server.rest("GET", `/management/v1/idps/templates/${added?.id}`, { token, headers })).body;
    assert.equal(idp.state, "IDP_STATE_INACTIVE");
  });
});
