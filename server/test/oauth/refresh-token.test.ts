import assert from "node:assert/strict";
import { test } from "node:test";
import { createApplication } from "../../src/domain/application/index.ts";
import { preUserinfo, scriptsOf } from "../script/support/scripts.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";

const refresh = (server: OidcServer, refreshToken: string, more: Record<string, string> = {}, client?: TestClient) =>
  server.form(
    "/oauth/v2/token",
    { grant_type: "refresh_token", refresh_token: refreshToken, ...more },
    (client ?? server.client).basic,
  );

enginesInTurn((engine, test, both) => {
  test("a refresh token rotates; the earlier access token stays valid", async (t) => {
    const server = await startOidcServer(t, { engine });
    const first = await server.tokens({ scope: "openid offline_access" });
    const second = await refresh(server, first["refresh_token"] ?? "");
    assert.equal(second.status, 200);
    assert.notEqual(second.body.refresh_token, first["refresh_token"]);
    assert.ok(second.body.id_token);
    assert.equal((await server.introspect(first["access_token"] ?? ""))["active"], true);
    assert.equal((await server.introspect(second.body.access_token))["active"], true);
  });

  test("a spent refresh token revokes its whole family (RFC 9700 §4.14.2)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const first = await server.tokens({ scope: "openid offline_access" });
    const second = await refresh(server, first["refresh_token"] ?? "");
    assert.equal((await refresh(server, first["refresh_token"] ?? "")).body.error, "invalid_grant");
    assert.deepEqual(await server.introspect(second.body.access_token), { active: false });
    assert.equal((await refresh(server, second.body.refresh_token)).body.error, "invalid_grant");
  });

  both("of 50 parallel uses of one refresh token exactly one succeeds", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { refresh_token: token = "" } = await server.tokens({ scope: "openid offline_access" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(server, token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });
});

test("the scope can be narrowed, not widened, and comes back with the next refresh", async (t) => {
  const server = await startOidcServer(t);
  const first = await server.tokens({ scope: "openid email offline_access" });
  const wider = await refresh(server, first["refresh_token"] ?? "", { scope: "openid profile" });
  assert.equal(wider.body.error, "invalid_scope");
  const narrow = await refresh(server, first["refresh_token"] ?? "", { scope: "openid" });
  assert.equal(narrow.body.scope, "openid");
  const again = await refresh(server, narrow.body.refresh_token);
  assert.equal(again.body.scope, "openid email offline_access");
});

test("the refresh token of one client is worth nothing to another, and trying does not revoke it", async (t) => {
  const server = await startOidcServer(t);
  const other = await server.createClient();
  const { refresh_token: token = "" } = await server.tokens({ scope: "openid offline_access" });
  assert.equal((await refresh(server, token, {}, other)).body.error, "invalid_grant");
  assert.equal((await refresh(server, token)).status, 200);
});

test("a refresh token expires after 30 idle days, and after 90 days in any case", async (t) => {
  const server = await startOidcServer(t);
  const day = 86_400_000;
  let { refresh_token: token = "" } = await server.tokens({ scope: "openid offline_access" });
  for (let elapsed = 0; elapsed < 75; elapsed += 25) {
    server.clock.now += 25 * day;
    const answer = await refresh(server, token);
    assert.equal(answer.status, 200);
    token = answer.body.refresh_token;
  }
  server.clock.now += 16 * day;
  assert.equal((await refresh(server, token)).body.error, "invalid_grant");

  const idle = await server.tokens({ scope: "openid offline_access" });
  server.clock.now += 30 * day + 1;
  assert.equal((await refresh(server, idle["refresh_token"] ?? "")).body.error, "invalid_grant");
});

test("no token is refreshed for a user who is deactivated, or whose session was ended", async (t) => {
  const server = await startOidcServer(t);
  const { sessionId, sessionToken, code, codeVerifier } = await server.signIn({ scope: "openid offline_access" });
  const { body } = await server.form(
    "/oauth/v2/token",
    { grant_type: "authorization_code", code, redirect_uri: server.client.redirectUri, code_verifier: codeVerifier },
    server.client.basic,
  );
  const other = await server.tokens({ scope: "openid offline_access" });
  await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: { sessionToken } });
  assert.equal((await refresh(server, body.refresh_token)).body.error, "invalid_grant");
  assert.deepEqual(await server.introspect(body.access_token), { active: false });
  assert.equal((await server.introspect(other["access_token"] ?? ""))["active"], true);
  assert.equal((await server.rest("POST", `/v2/users/${server.user.userId}/deactivate`, { body: {} })).status, 200);
  assert.deepEqual(await server.introspect(other["access_token"] ?? ""), { active: false });
  assert.equal((await refresh(server, other["refresh_token"] ?? "")).body.error, "invalid_grant");
});

/** A client with a grace for lost answers: the contract has no field for it, so the test registers it by the step. */
async function clientWithGrace(server: OidcServer, refreshGrace: number): Promise<TestClient> {
  const { domain } = server.app;
  const instance = await domain.findInstanceByHost("localhost");
  const call = testCall({ instanceId: instance?.instanceId ?? "", now: server.clock.now });
  const { redirectUri } = server.client;
  const { projectId, organizationId } = server;
  const created = await domain.database.change(call, (tx) =>
    createApplication(
      tx,
      domain,
      { projectId, organizationId },
      {
        kind: "oidc",
        name: "with grace",
        configuration: {
          redirectUris: [redirectUri],
          responseTypes: ["code"],
          grantTypes: ["authorization_code", "refresh_token"],
          refreshGrace,
        },
      },
    ),
  );
  const { applicationId, clientId = "" } = created.application;
  const clientSecret = created.clientSecret?.reveal() ?? "";
  return { applicationId, clientId, clientSecret, redirectUri, basic: basicOf(clientId, clientSecret) };
}

test("within the client's grace period a lost response is repeated once, unchanged; any further use counts as reuse", async (t) => {
  const server = await startOidcServer(t);
  const client = await clientWithGrace(server, 10_000);
  const { refresh_token: spent = "" } = await server.tokens({ client, scope: "openid offline_access" });
  const first = await refresh(server, spent, {}, client);
  server.clock.now += 9_000;
  const again = await refresh(server, spent, {}, client);
  assert.equal(again.status, 200);
  assert.equal(again.body.access_token, first.body.access_token);
  assert.equal(again.body.refresh_token, first.body.refresh_token);
  assert.ok(again.body.id_token);
  assert.equal((await refresh(server, spent, {}, client)).body.error, "invalid_grant");
  assert.deepEqual(await server.introspect(first.body.access_token, client), { active: false });
});

test("a repetition whose script fails is not the only one", async (t) => {
  const server = await startOidcServer(t);
  const client = await clientWithGrace(server, 10_000);
  const scripts = scriptsOf(server);
  const { organizationId } = server;
  const no = await scripts.create("no", `function no() { throw new Error("not now"); }`, { organizationId });
  const { refresh_token: spent = "" } = await server.tokens({ client, scope: "openid offline_access" });
  const failing = async (): Promise<void> => {
    await scripts.set(preUserinfo, [no], { organizationId });
    assert.equal((await refresh(server, spent, {}, client)).body.error, "temporarily_unavailable");
    await scripts.set(preUserinfo, [], { organizationId });
  };
  await failing();
  const first = await refresh(server, spent, {}, client);
  await failing();
  const again = await refresh(server, spent, {}, client);
  assert.equal(again.body.refresh_token, first.body.refresh_token);
  assert.equal((await refresh(server, spent, {}, client)).body.error, "invalid_grant");
});

test("no answer is repeated once the user may no longer use the application, or took their consent back", async (t) => {
  const server = await startOidcServer(t);
  const { projectId, organizationId, user } = server;
  const call = async (method: string, body: object) => {
    const answered = await server.connect(`service.${method}`, body);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    return answered.body;
  };
  const projects = "project.v2.ProjectService";
  const authorizations = "authorization.v2.AuthorizationService";
  await call(`${projects}/AddProjectRole`, { projectId, roleKey: "reader", displayName: "Reader" });
  const assigned = { userId: user.userId, projectId, organizationId, roleKeys: ["reader"] };
  const { id } = await call(`${authorizations}/CreateAuthorization`, assigned);
  await call(`${projects}/UpdateProject`, { projectId, authorizationRequired: true });
  const client = await clientWithGrace(server, 10_000);
  const { refresh_token: spent = "" } = await server.tokens({ client, scope: "openid offline_access" });
  const repeated = async (token: string) => {
    const { status, body } = await refresh(server, token, {}, client);
    return [status, body.error, body.id_token === undefined];
  };
  assert.deepEqual(await repeated(spent), [200, undefined, false]);
  await call(`${authorizations}/DeleteAuthorization`, { id });
  assert.deepEqual(await repeated(spent), [400, "invalid_grant", true], "without the role");
  await call(`${authorizations}/CreateAuthorization`, assigned);
  assert.deepEqual(await repeated(spent), [200, undefined, false], "with the role again");

  const { refresh_token: other = "" } = await server.tokens({ client, scope: "openid offline_access" });
  assert.deepEqual(await repeated(other), [200, undefined, false]);
  await call("application.v2.ApplicationService/UpdateApplication", {
    projectId,
    applicationId: client.applicationId,
    oidcConfiguration: { consentRequired: true },
  });
  assert.deepEqual(await repeated(other), [400, "invalid_grant", true], "without consent");
});

test("no answer is repeated when the grace is over, or when the next token was used", async (t) => {
  const server = await startOidcServer(t);
  const client = await clientWithGrace(server, 5_000);
  const late = await server.tokens({ client, scope: "openid offline_access" });
  await refresh(server, late["refresh_token"] ?? "", {}, client);
  server.clock.now += 5_001;
  assert.equal((await refresh(server, late["refresh_token"] ?? "", {}, client)).body.error, "invalid_grant");

  const stolen = await server.tokens({ client, scope: "openid offline_access" });
  const next = await refresh(server, stolen["refresh_token"] ?? "", {}, client);
  const last = await refresh(server, next.body.refresh_token, {}, client);
  assert.equal((await refresh(server, stolen["refresh_token"] ?? "", {}, client)).body.error, "invalid_grant");
  assert.deepEqual(await server.introspect(last.body.access_token, client), { active: false });
});
