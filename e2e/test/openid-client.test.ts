import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { type TestContext, test } from "node:test";
import { importPKCS8, SignJWT } from "jose";
import * as client from "openid-client";
import { adoptSession } from "../../server/test/support/adopt-session.ts";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc.ts";

const insecure = { execute: [client.allowInsecureRequests] };

// The library looks at its own clock.
const start = (t: TestContext): Promise<OidcServer> => startOidcServer(t, { now: Date.now() });

async function discover(server: OidcServer): Promise<client.Configuration> {
  const { clientId, clientSecret } = server.client;
  const authentication = client.ClientSecretBasic(clientSecret);
  return client.discovery(new URL(server.origin), clientId, undefined, authentication, insecure);
}

async function signIn(server: OidcServer, configuration: client.Configuration, scope: string) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: server.client.redirectUri,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
    nonce: expectedNonce,
  });
  const { callback } = await server.answer(url);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  return client.authorizationCodeGrant(configuration, callback, checks);
}

test("openid-client: code with PKCE, userinfo, refresh, introspection, revocation, end session", async (t) => {
  const server = await start(t);
  const configuration = await discover(server);
  client.enableNonRepudiationChecks(configuration);
  const tokens = await signIn(server, configuration, "openid profile offline_access");
  const claims = tokens.claims();
  assert.equal(claims?.sub, server.user.userId);
  const info = await client.fetchUserInfo(configuration, tokens.access_token, server.user.userId);
  assert.equal(info.preferred_username, server.user.loginName);

  const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? "");
  assert.equal(refreshed.claims()?.sub, server.user.userId);
  assert.equal((await client.tokenIntrospection(configuration, refreshed.access_token)).active, true);
  await client.tokenRevocation(configuration, refreshed.access_token);
  assert.equal((await client.tokenIntrospection(configuration, refreshed.access_token)).active, false);

  const url = client.buildEndSessionUrl(configuration, {
    id_token_hint: refreshed.id_token ?? "",
    post_logout_redirect_uri: "https://app.example/bye",
    state: "s-2",
  });
  // In the browser that signed in; elsewhere the person is asked.
  const headers = await adoptSession(server, String(tokens.claims()?.["sid"]));
  assert.match((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "", /^\/ui\/logout\?/);
  const ended = await fetch(url, { redirect: "manual", headers });
  assert.equal(ended.headers.get("location"), "https://app.example/bye?state=s-2");
  assert.equal((await client.tokenIntrospection(configuration, tokens.access_token)).active, false);
});

test("openid-client: client credentials of a service account", async (t) => {
  const server = await start(t);
  const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
  const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const { clientSecret } = (await server.rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
  const authentication = client.ClientSecretPost(clientSecret);
  const url = new URL(server.origin);
  const configuration = await client.discovery(url, "robot", undefined, authentication, insecure);
  const tokens = await client.clientCredentialsGrant(configuration, { scope: "openid profile" });
  const info = await client.fetchUserInfo(configuration, tokens.access_token, userId);
  assert.equal(info.name, "Robot");
});

test("openid-client: JWT profile of a service account", async (t) => {
  const server = await start(t);
  const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
  const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const { keyContent } = (
    await server.rest("POST", `/v2/users/${userId}/keys`, { body: { expirationDate: "2100-01-01T00:00:00Z" } })
  ).body;
  const file = JSON.parse(Buffer.from(keyContent, "base64").toString("utf8"));
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: "RS256", kid: file.keyId })
    .setIssuer(userId)
    .setSubject(userId)
    .setAudience(server.origin)
    .setIssuedAt()
    .setExpirationTime("1m")
    .setJti("once")
    .sign(createPrivateKey(file.key));
  // The account is the client of its own tokens, under its id.
  const url = new URL(server.origin);
  const configuration = await client.discovery(url, userId, undefined, client.None(), insecure);
  const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  const tokens = await client.genericGrantRequest(configuration, grantType, { assertion, scope: "openid" });
  assert.equal(tokens.claims()?.sub, userId);
});

test("openid-client: private_key_jwt", async (t) => {
  const server = await start(t);
  const keyed = await server.createClient({ authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" });
  const { keyDetails } = (
    await server.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
      projectId: server.projectId,
      applicationId: keyed.applicationId,
      expirationDate: "2100-01-01T00:00:00Z",
    })
  ).body;
  const file = JSON.parse(Buffer.from(keyDetails, "base64").toString("utf8"));
  const pkcs8 = createPrivateKey(file.key).export({ type: "pkcs8", format: "pem" }).toString();
  const key = await importPKCS8(pkcs8, "RS256");
  const authentication = client.PrivateKeyJwt({ key, kid: file.keyId });
  const url = new URL(server.origin);
  const configuration = await client.discovery(url, keyed.clientId, undefined, authentication, insecure);
  const tokens = await signIn(server, configuration, "openid offline_access");
  assert.ok((await client.refreshTokenGrant(configuration, tokens.refresh_token ?? "")).access_token);
  assert.equal((await client.tokenIntrospection(configuration, tokens.access_token)).active, true);
});
