import assert from "node:assert/strict";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { addApi, addResource, changeResource } from "../../support/oidc/resources.ts";
import { isActive, jwt, makeBank, ok, projects, scopes, tools } from "../support/registered-resources.ts";

enginesInTurn((engine, test) => {
  test("a token for a resource is introspected by the APIs of its project, and by no others", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { projectId, organizationId } = server;
    const bank = await makeBank(server);
    const api = await addApi(server, projectId);
    const second = await addApi(server, projectId, "Second");
    const { projectId: elsewhere } = await ok(
      server.connect(`${projects}/CreateProject`, { organizationId, name: "Elsewhere" }),
    );
    const stranger = await addApi(server, elsewhere);
    const sibling = await server.createClient();
    const id = await addResource(server, projectId, tools, { scopes });
    const tokens = await server.tokens({ scope: "tools:read unknown:scope", parameters: { resource: tools } });
    const { access_token: token = "" } = tokens;
    assert.deepEqual([tokens["scope"], tokens["id_token"]], ["tools:read", undefined]);
    const seen = await server.introspect(token, api);
    assert.deepEqual(seen["aud"], [server.client.clientId, tools]);
    assert.equal(seen["scope"], "tools:read");
    const who = async () => ({
      api: await isActive(server, token, api),
      second: await isActive(server, token, second),
    });
    assert.deepEqual(await who(), { api: true, second: true });
    for (const [name, by] of Object.entries({ stranger, sibling, bank: bank.api })) {
      assert.equal(await isActive(server, token, by), false, name);
    }
    // A resource of the stranger's project does not open tokens for another one.
    await addResource(server, elsewhere, "https://other.example", { scopes });
    assert.equal(await isActive(server, token, stranger), false);

    await changeResource(server, "UpdateResource", { id, applications: { applicationIds: [second.applicationId] } });
    assert.deepEqual(await who(), { api: false, second: true });
    await ok(
      server.connect("service.application.v2.ApplicationService/DeleteApplication", {
        projectId,
        applicationId: second.applicationId,
      }),
    );
    assert.equal(await isActive(server, token, api), false, "a deleted application does not open the list to all");
    await changeResource(server, "UpdateResource", { id, applications: {} });
    assert.equal(await isActive(server, token, api), true);
  });

  test("a resource decides form and lifetime of its tokens, never beyond the instance's", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { projectId, client } = server;
    const opaque = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
    await addResource(server, projectId, tools, { scopes, ...jwt, accessTokenLifetime: "300s" });
    await addResource(server, projectId, "https://plain.example");
    const read = async (resource: string, by: TestClient, scope = "openid offline_access tools:read") =>
      server.tokens({ client: by, scope, parameters: { resource } });
    const tokens = await read(tools, client);
    assert.equal(tokens["expires_in"], 300);
    const { access_token: token = "" } = tokens;
    assert.equal(decodeProtectedHeader(token).typ, "at+jwt");
    const { aud, scope, exp = 0, iat = 0, client_id } = decodeJwt(token);
    assert.deepEqual(
      [aud, scope, exp - iat, client_id],
      [[client.clientId, tools], "openid offline_access tools:read", 300, client.clientId],
    );
    const plain = await read("https://plain.example", opaque);
    assert.ok(Number(plain["expires_in"]) > 300);
    assert.throws(() => decodeJwt(plain["access_token"] ?? ""), "the resource introspects, whatever the client is");
    const refreshed = await server.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: tokens["refresh_token"] ?? "" },
      client.basic,
    );
    assert.deepEqual(
      [refreshed.body.expires_in, decodeJwt(refreshed.body.access_token).aud],
      [300, [client.clientId, tools]],
    );
    const settings = {
      accessTokenLifetime: "120s",
      idTokenLifetime: "120s",
      refreshTokenIdleExpiration: "86400s",
      refreshTokenExpiration: "864000s",
    };
    const updated = await server.connect("service.admin.v1.AdminService/UpdateOIDCSettings", settings);
    assert.equal(updated.status, 200, JSON.stringify(updated.body));
    assert.equal((await read(tools, client))["expires_in"], 120);
  });

  test("a refresh takes one of several resources, with the scopes that it knows", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { projectId, client } = server;
    const files = "https://files.example";
    await addResource(server, projectId, tools, { scopes });
    await addResource(server, projectId, files, { scopes: [{ name: "files:read" }, { name: "tools:read" }] });
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: "code",
      scope: "offline_access tools:read tools:write files:read",
      resource: tools,
    });
    query.append("resource", files);
    const { callback } = await server.answer(new URL(`${server.origin}/oauth/v2/authorize?${query}`));
    const code = callback.searchParams.get("code") ?? "";
    const parameters = { grant_type: "authorization_code", code, redirect_uri: client.redirectUri };
    const { body } = await server.form("/oauth/v2/token", parameters, client.basic);
    assert.equal(body.scope, "offline_access tools:read tools:write files:read");
    const refresh = async (refreshToken: string, more: Record<string, string>) =>
      (
        await server.form(
          "/oauth/v2/token",
          { grant_type: "refresh_token", refresh_token: refreshToken, ...more },
          client.basic,
        )
      ).body;
    const narrow = await refresh(body.refresh_token, { resource: "HTTPS://files.example:443/" });
    assert.equal(narrow.scope, "offline_access tools:read files:read");
    assert.deepEqual((await server.introspect(narrow.access_token))["aud"], [client.clientId, files]);
    const narrower = await refresh(narrow.refresh_token, { resource: tools, scope: "tools:write" });
    assert.equal(narrower.scope, "tools:write");
    const wrong = await refresh(narrower.refresh_token, { resource: files, scope: "tools:write" });
    assert.equal(wrong.error, "invalid_scope");
    assert.equal(
      (await refresh(narrower.refresh_token, { resource: "https://other.example" })).error,
      "invalid_target",
    );
    const all = await refresh(narrower.refresh_token, {});
    assert.deepEqual((await server.introspect(all.access_token))["aud"], [client.clientId, tools, files]);
  });

  test("tokens end with the resource, its project and its organization, and another one of that URI is another one", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client } = server;
    const shared = { scopes };
    const { projectId } = await ok(
      server.connect(`${projects}/CreateProject`, { organizationId: server.organizationId, name: "Tools" }),
    );
    const api = await addApi(server, projectId);
    const id = await addResource(server, projectId, tools, shared);
    const tokens = await server.tokens({ scope: "offline_access tools:read", parameters: { resource: tools } });
    let { access_token: token = "", refresh_token: refreshToken = "" } = tokens;
    const refresh = (more = {}) =>
      server.form(
        "/oauth/v2/token",
        { grant_type: "refresh_token", refresh_token: refreshToken, ...more },
        client.basic,
      );
    const authorize = async () => {
      const query = new URLSearchParams({
        client_id: client.clientId,
        redirect_uri: client.redirectUri,
        response_type: "code",
        resource: tools,
      });
      const sent = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
      return new URL(sent.headers.get("location") ?? "", server.origin).searchParams.get("error");
    };
    const ended = async (what: string) => {
      for (const more of [{}, { resource: tools }]) {
        const refused = await refresh(more);
        assert.deepEqual([refused.status, refused.body.error], [400, "invalid_target"], what);
      }
      assert.equal(await authorize(), "invalid_target", what);
    };
    const goesOn = async (what: string) => {
      const renewed = await refresh();
      assert.equal(renewed.status, 200, what + JSON.stringify(renewed.body));
      ({ access_token: token, refresh_token: refreshToken } = renewed.body);
      assert.equal(await isActive(server, token, api), true, what);
      assert.equal(await authorize(), null, what);
    };
    await goesOn("at first");
    await changeResource(server, "UpdateResource", { id, state: "RESOURCE_STATE_INACTIVE" });
    assert.equal(await isActive(server, token, api), false, "inactive");
    await ended("inactive");
    await changeResource(server, "UpdateResource", { id, state: "RESOURCE_STATE_ACTIVE" });
    await goesOn("active again");
    await ok(server.connect(`${projects}/DeactivateProject`, { projectId }));
    await ended("project");
    await ok(server.connect(`${projects}/ActivateProject`, { projectId }));
    await goesOn("project again");
    await changeResource(server, "UpdateResource", { id, scopes: { scopes: [{ name: "tools:write" }] } });
    assert.equal((await refresh()).body.scope, "offline_access", "a scope that was taken away is not renewed");
    server.clock.now += 1000;
    await changeResource(server, "DeleteResource", { id });
    assert.equal(await isActive(server, token, api), false, "deleted");
    await addResource(server, projectId, tools, shared);
    assert.equal(await isActive(server, token, api), false, "registered anew");
    assert.equal(await authorize(), null);
  });

  test("a request for a resource may leave out scope and openid; others may not", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client, projectId } = server;
    await addResource(server, projectId, tools, { scopes });
    await addResource(server, projectId, "https://bare.example");
    const send = (parameters: Record<string, string>) =>
      server.form(
        "/oauth/v2/par",
        { redirect_uri: client.redirectUri, response_type: "code", ...parameters },
        client.basic,
      );
    const scopeOf = async (parameters: Record<string, string>) => {
      const pushed = await send(parameters);
      assert.equal(pushed.status, 201, JSON.stringify(pushed.body));
      const query = new URLSearchParams({ client_id: client.clientId, request_uri: pushed.body.request_uri });
      const { callback } = await server.answer(new URL(`${server.origin}/oauth/v2/authorize?${query}`));
      const grant = { grant_type: "authorization_code", code: callback.searchParams.get("code") ?? "" };
      return (await server.form("/oauth/v2/token", { ...grant, redirect_uri: client.redirectUri }, client.basic)).body
        .scope;
    };
    assert.equal(await scopeOf({ resource: tools }), "tools:read tools:write");
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: "code",
    });
    const sent = await fetch(`${server.origin}/oauth/v2/authorize?${query}&resource=HTTPS://TOOLS.example/mcp`, {
      redirect: "manual",
    });
    const id = new URL(sent.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
    const { authRequest } = (await server.rest("GET", `/v2/oidc/auth_requests/${id}`, { token: server.loginToken }))
      .body;
    assert.deepEqual([authRequest.resources, authRequest.scope], [[tools], ["tools:read", "tools:write"]]);
    assert.equal(await scopeOf({ resource: "https://bare.example" }), "openid");
    assert.equal(await scopeOf({ resource: tools, scope: "tools:write nonsense" }), "tools:write");
    assert.equal((await send({ resource: tools, scope: "nonsense" })).body.error, "invalid_scope");
    assert.equal((await send({ scope: "tools:read" })).body.error, "invalid_scope");
    assert.equal((await send({})).body.error, "invalid_request");
    assert.equal((await send({ resource: "https://unknown.example" })).body.error, "invalid_target");
  });
});
