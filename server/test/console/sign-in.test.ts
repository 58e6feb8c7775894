import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { makeProofKey } from "../support/oidc/dpop.ts";
import { appoint } from "../support/people/people.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { askSilently, callWith, consoleToken, openConsole, redeem, signedInBrowser, startConsole } from "./support.ts";

const search = "/v2/users";

eachEngine((_open, engine) => {
  test("a signed-in user gets a token for the console without a page, bound to the console's key", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const browser = await signedInBrowser(server);
    const asked = await askSilently(server, browser, clientId);
    assert.equal(asked.page.status, 200);
    assert.equal(asked.at.pathname, "/ui/console/return");
    assert.equal(asked.at.searchParams.get("state"), "here");
    assert.equal(asked.at.searchParams.get("iss"), server.origin);
    const key = await makeProofKey();
    const answer = await redeem(server, clientId, asked, key);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.token_type, "DPoP");
    assert.equal(answer.body.refresh_token, undefined);
    const token = { key, accessToken: answer.body.access_token };
    assert.equal((await callWith(server, token, search, {})).status, 200);
    assert.equal((await server.rest("POST", search, { token: token.accessToken, body: {} })).status, 401);
    const stolen = { key: await makeProofKey(), accessToken: token.accessToken };
    assert.equal((await callWith(server, stolen, search, {})).status, 401);
  });

  test("a token of the console may do what its user may", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const browser = await signedInBrowser(server);
    const rename = { organizationId: server.organizationId, name: "Renamed" };
    const method = "/service.org.v2.OrganizationService/UpdateOrganization";
    const before = await callWith(server, await consoleToken(server, browser, clientId), method, rename);
    await appoint(server, server.user, { organizationId: server.organizationId }, ["ORG_OWNER"]);
    const after = await callWith(server, await consoleToken(server, browser, clientId), method, rename);
    assert.deepEqual([before.status === 200, after.status], [false, 200], JSON.stringify([before.body, after.body]));
  });

  test("a browser without a session is told so, and nothing is shown", async (t) => {
    const server = await startConsole(t, { engine });
    const asked = await askSilently(server, new TestBrowser(server), await openConsole(server));
    assert.equal(asked.error, "login_required");
    assert.equal(asked.at.pathname, "/ui/console/return");
  });
});
