import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { fetch } from "../support/http/fetch.ts";
import { basicOf, type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";

async function keySet(server: OidcServer) {
  const answer = await server.rest("GET", "/oauth/v2/keys", { token: null });
  assert.equal(answer.status, 200);
  return createLocalJWKSet(answer.body);
}

const at = (server: OidcServer) => ({ issuer: server.origin, currentDate: new Date(server.clock.now) });

test("the id token is signed by a published key and says who, when, how and for whom", async (t) => {
  const server = await startOidcServer(t);
  const answer = await server.tokens({ scope: "openid profile email", parameters: { nonce: "n-1" } });
  const verified = await jwtVerify(answer["id_token"] ?? "", await keySet(server), {
    ...at(server),
    audience: server.client.clientId,
  });
  const now = Math.floor(server.clock.now / 1000);
  const { payload, protectedHeader } = verified;
  assert.equal(protectedHeader.alg, "RS256");
  assert.equal(payload["sub"], server.user.userId);
  assert.equal(payload["azp"], server.client.clientId);
  assert.equal(payload["client_id"], undefined, "azp says it (C12)");
  assert.equal(payload["nonce"], "n-1");
  assert.equal(payload["auth_time"], now);
  assert.deepEqual(payload["amr"], ["pwd"]);
  assert.equal(payload["exp"], now + 43_200);
  assert.ok(payload["sid"] && payload["at_hash"]);
  assert.equal(payload["email"], undefined, "claims of scopes stay out when an access token is issued");
});

test("id_token_userinfo_assertion puts the claims of the scopes into the id token", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({ idTokenUserinfoAssertion: true });
  const answer = await server.tokens({ client, scope: "openid profile email" });
  const { payload } = await jwtVerify(answer["id_token"] ?? "", await keySet(server), at(server));
  assert.equal(payload["email"], "ada@example.com");
  assert.equal(payload["email_verified"], true);
  assert.equal(payload["preferred_username"], server.user.loginName);
});

test("id_token_signed_response_alg signs the id tokens of the application, at the code and at every refresh", async (t) => {
  const server = await startOidcServer(t);
  const keys = await server.connect("service.webkey.v2.WebKeyService/CreateWebKey", { ed25519: {} });
  await server.connect("service.webkey.v2.WebKeyService/ActivateWebKey", { id: keys.body.id });
  const published = await keySet(server);
  for (const algorithm of ["ES256", "EdDSA", ""]) {
    const client = await server.createClient({ idTokenSignedResponseAlg: algorithm });
    const first = await server.tokens({ client, scope: "openid offline_access" });
    const next = await server.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: first["refresh_token"] ?? "" },
      client.basic,
    );
    for (const token of [first["id_token"] ?? "", next.body.id_token]) {
      const { payload, protectedHeader } = await jwtVerify(token, published, at(server));
      assert.equal(protectedHeader.alg, algorithm || "RS256");
      assert.equal(
        String(payload["at_hash"]).length,
        algorithm === "EdDSA" ? 43 : 22,
        "half of the hash of the algorithm",
      );
    }
  }
  const unknown = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
    projectId: server.projectId,
    name: "none",
    oidcConfiguration: { redirectUris: ["https://app.example/"], idTokenSignedResponseAlg: "none" },
  });
  assert.equal(unknown.status, 400, "a text that names no algorithm of ours");
});

test("a JWT access token follows RFC 9068, and revocation and logout hold for it", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const { access_token: token = "" } = await server.tokens({ client, scope: "openid profile" });
  const { typ, alg } = decodeProtectedHeader(token);
  assert.deepEqual({ typ, alg }, { typ: "at+jwt", alg: "ES256" });
  const { payload } = await jwtVerify(token, await keySet(server), { ...at(server), audience: client.clientId });
  assert.equal(payload["client_id"], client.clientId);
  assert.equal(payload["scope"], "openid profile");
  assert.equal((await server.introspect(token, client))["active"], true);
  assert.equal((await server.form("/oauth/v2/revoke", { token }, client.basic)).status, 200);
  assert.deepEqual(await server.introspect(token, client), { active: false });

  const { sessionId, sessionToken, code, codeVerifier } = await server.signIn({ client });
  const { body } = await server.form(
    "/oauth/v2/token",
    { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
    client.basic,
  );
  await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: { sessionToken } });
  assert.deepEqual(await server.introspect(body.access_token, client), { active: false });
});

test("userinfo gives the claims of the scopes, by GET and by POST, and refuses everything else with 401", async (t) => {
  const server = await startOidcServer(t);
  const { access_token: token = "" } = await server.tokens({ scope: "openid profile email phone" });
  const userinfo = async (init: RequestInit & { headers?: Record<string, string> }) => {
    const response = await fetch(`${server.origin}/oidc/v1/userinfo`, init);
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const bearer = { authorization: `Bearer ${token}` };
  for (const method of ["GET", "POST"]) {
    const { status, body } = await userinfo({ method, headers: bearer });
    assert.equal(status, 200);
    assert.equal(body["sub"], server.user.userId);
    assert.equal(body["name"], "Ada Lovelace");
    assert.equal(body["email_verified"], true);
  }
  assert.equal((await userinfo({ method: "POST", body: new URLSearchParams({ access_token: token }) })).status, 200);
  const wrong = [
    {},
    { authorization: "Bearer x" },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token}x` },
  ];
  for (const headers of wrong) {
    const { status, headers: answered, body } = await userinfo({ headers });
    assert.equal(status, 401);
    assert.equal(body["error"], "invalid_token");
    assert.match(answered.get("www-authenticate") ?? "", /^Bearer error="invalid_token"/);
  }
  const inQuery = await fetch(`${server.origin}/oidc/v1/userinfo?access_token=${token}`);
  assert.equal(inQuery.status, 401);
  server.clock.now += 43_200_000;
  assert.equal((await userinfo({ headers: bearer })).status, 401);
});

test("revoking an access token revokes only that token; revoking a refresh token revokes both", async (t) => {
  const server = await startOidcServer(t);
  const { client } = server;
  const revoke = (token: string, by = client) => server.form("/oauth/v2/revoke", { token }, by.basic);
  const first = await server.tokens({ scope: "openid offline_access" });
  assert.equal((await revoke(first["access_token"] ?? "")).status, 200);
  assert.deepEqual(await server.introspect(first["access_token"] ?? ""), { active: false });
  const refreshed = await server.form(
    "/oauth/v2/token",
    { grant_type: "refresh_token", refresh_token: first["refresh_token"] ?? "" },
    client.basic,
  );
  assert.equal(refreshed.status, 200);
  assert.equal((await revoke(refreshed.body.refresh_token)).status, 200);
  assert.deepEqual(await server.introspect(refreshed.body.access_token), { active: false });
  for (const token of ["unknown", refreshed.body.refresh_token, "a.b.c"])
    assert.equal((await revoke(token)).status, 200);
  const other = await server.createClient();
  const mine = await server.tokens({ scope: "openid offline_access" });
  for (const token of [mine["access_token"], mine["refresh_token"]]) {
    const answer = await revoke(token ?? "", other);
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error, "invalid_client");
  }
  assert.equal((await server.introspect(mine["access_token"] ?? ""))["active"], true);
});

test("introspection: another application of the project may ask, one of another project learns nothing", async (t) => {
  const server = await startOidcServer(t);
  const { access_token: token = "" } = await server.tokens({ scope: "openid profile" });
  const sibling = await server.createClient();
  assert.equal((await server.introspect(token, sibling))["active"], true);
  const { projectId } = (
    await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId: server.organizationId,
      name: "Other",
    })
  ).body;
  const { applicationId, apiConfiguration } = (
    await server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId,
      name: "api",
      apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
    })
  ).body;
  const { clientId, clientSecret } = apiConfiguration;
  const stranger = { applicationId, clientId, clientSecret, redirectUri: "", basic: basicOf(clientId, clientSecret) };
  assert.deepEqual(await server.introspect(token, stranger), { active: false });
  const audience = `openid urn:service:iam:org:project:id:${projectId}:aud`;
  const { access_token: wide = "" } = await server.tokens({ scope: audience });
  assert.equal((await server.introspect(wide, stranger))["active"], true);
});

test("a refresh token, an id token and a code are not access tokens", async (t) => {
  const server = await startOidcServer(t);
  const tokens = await server.tokens({ scope: "openid offline_access" });
  const { code } = await server.signIn();
  for (const token of [tokens["refresh_token"] ?? "", tokens["id_token"] ?? "", code]) {
    assert.deepEqual(await server.introspect(token), { active: false });
  }
});

test("a token for our own APIs needs their audience", async (t) => {
  const server = await startOidcServer(t);
  const { access_token: plain = "" } = await server.tokens({ scope: "openid" });
  const path = `/v2/users/${server.user.userId}`;
  const refused = await server.rest("GET", path, { token: plain });
  assert.equal(refused.status, 401);
  assert.equal(refused.body.details[0].id, "authentication.wrong_audience");
  const scope = "openid urn:service:iam:org:project:id:service:aud";
  const { access_token: wide = "" } = await server.tokens({ scope });
  assert.equal((await server.rest("GET", path, { token: wide })).status, 200);
});

test("a client that asks with the alias is answered with the alias as well (Z2)", async (t) => {
  const server = await startOidcServer(t);
  const { access_token: token = "" } = await server.tokens({ scope: "openid urn:zitadel:iam:user:resourceowner" });
  const answer = await server.introspect(token);
  assert.equal(answer["urn:zitadel:iam:user:resourceowner:id"], server.organizationId);
  assert.equal(answer["urn:service:iam:user:resourceowner:id"], server.organizationId);
});

test("revoking a token that ended with its family is answered like any revocation (RFC 7009 §2.2)", async (t) => {
  const server = await startOidcServer(t);
  for (const accessTokenType of ["OIDC_TOKEN_TYPE_BEARER", "OIDC_TOKEN_TYPE_JWT"]) {
    const client = await server.createClient({ accessTokenType });
    const given = await server.tokens({ client, scope: "openid offline_access" });
    for (const name of ["refresh_token", "access_token", "access_token", "refresh_token"]) {
      const answer = await server.form("/oauth/v2/revoke", { token: given[name] ?? "" }, client.basic);
      assert.equal(answer.status, 200, name);
    }
  }
});
