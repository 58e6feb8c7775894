import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { makeProofKey } from "../support/oidc/dpop.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
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

  test("an owner of any organization may use the console, in that organization alone", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const organizationId = await addOrganization(server, "Other");
    const owner = await addPerson(server, { username: "eve", organizationId });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const token = await consoleToken(server, await signedInBrowser(server, owner), clientId);
    const method = "/service.org.v2.OrganizationService/UpdateOrganization";
    const rename = async (id: string) =>
      (await callWith(server, token, method, { organizationId: id, name: "Renamed" })).status;
    assert.deepEqual([await rename(organizationId), await rename(server.organizationId)], [200, 404]);
  });

  test("the strict profile takes nothing from the console", async (t) => {
    const server = await startConsole(t, { engine, config: { profile: "strict" } });
    const token = await consoleToken(server, await signedInBrowser(server), await openConsole(server));
    assert.equal((await callWith(server, token, search, {})).status, 200);
  });

  test("an instance that requires a custom login signs in to its console here", async (t) => {
    const server = await startConsole(t, { engine });
    const loginV2 = { required: true, baseUri: "https://login.example/" };
    const set = await server.connect("service.feature.v2.FeatureService/SetInstanceFeatures", { loginV2 });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    const clientId = await openConsole(server);
    assert.notEqual((await askSilently(server, await signedInBrowser(server), clientId)).code, "");
    const asked = await askSilently(server, new TestBrowser(server), clientId, { prompt: undefined });
    assert.equal(asked.at.pathname, "/ui/login");
  });

  test("a browser without a session is told so, and nothing is shown", async (t) => {
    const server = await startConsole(t, { engine });
    const asked = await askSilently(server, new TestBrowser(server), await openConsole(server));
    assert.equal(asked.error, "login_required");
    assert.equal(asked.at.pathname, "/ui/console/return");
  });
});
