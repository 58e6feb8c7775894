import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { type TestContext, test } from "node:test";
import { importPKCS8, SignJWT } from "jose";
import * as client from "openid-client";
import { createKeyedClient } from "../../server/test/support/oidc/application-key.ts";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { adoptSession } from "../../server/test/support/sign-in/adopt-session.ts";
import { signInByForms } from "../support/relying-party.ts";

const insecure = { execute: [client.allowInsecureRequests] };

// The library looks at its own clock.
const start = (t: TestContext): Promise<OidcServer> => startOidcServer(t, { now: Date.now() });

async function discover(server: OidcServer): Promise<client.Configuration> {
  const { clientId, clientSecret } = server.client;
  const authentication = client.ClientSecretBasic(clientSecret);
  return client.discovery(new URL(server.origin), clientId, undefined, authentication, insecure);
}

/** Discovers for a new client that authenticates by private_key_jwt. */
async function discoverByKey(server: OidcServer, algorithm: string, fields: object = {}) {
  const keyed = await createKeyedClient(server, { ...fields });
  const key = await importPKCS8(keyed.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), algorithm);
  const authentication = client.PrivateKeyJwt({ key, kid: keyed.keyId });
  return client.discovery(new URL(server.origin), keyed.client.clientId, undefined, authentication, insecure);
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
  const configuration = await discoverByKey(server, "RS256");
  const tokens = await signIn(server, configuration, "openid offline_access");
  assert.ok((await client.refreshTokenGrant(configuration, tokens.refresh_token ?? "")).access_token);
  assert.equal((await client.tokenIntrospection(configuration, tokens.access_token)).active, true);
});

test("openid-client: the FAPI 2.0 profile, by the library and the pages", async (t) => {
  const server = await start(t);
  const profile = { securityProfile: "OIDC_CLIENT_PROFILE_FAPI2" };
  const configuration = await discoverByKey(server, "PS256", profile);
  client.enableNonRepudiationChecks(configuration);
  const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair("ES256"));
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const request = {
    redirect_uri: server.client.redirectUri,
    scope: "openid email offline_access",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
    nonce: expectedNonce,
  };
  const url = await client.buildAuthorizationUrlWithPAR(configuration, request, { DPoP });
  const callback = new URL(await signInByForms(server, url.href));
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(configuration, callback, checks, undefined, { DPoP });
  assert.equal(tokens.token_type, "dpop");
  const info = await client.fetchUserInfo(configuration, tokens.access_token, server.user.userId, { DPoP });
  assert.equal(info.email, "ada@example.com");
  const refreshToken = tokens.refresh_token ?? "";
  for (let round = 0; round < 2; round++) {
    const refreshed = await client.refreshTokenGrant(configuration, refreshToken, undefined, { DPoP });
    assert.equal(refreshed.refresh_token, refreshToken, "it is not rotated");
  }
  await assert.rejects(() => client.refreshTokenGrant(configuration, refreshToken), { error: "invalid_dpop_proof" });
  const plain = client.buildAuthorizationUrl(configuration, request);
  const refused = new URL((await fetch(plain, { redirect: "manual" })).headers.get("location") ?? "");
  assert.equal(refused.searchParams.get("error"), "invalid_request", "not pushed");
});
