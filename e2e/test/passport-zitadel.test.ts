import assert from "node:assert/strict";
import { test } from "node:test";
import * as client from "openid-client";
import { Passport } from "passport";
import { ZitadelIntrospectionStrategy } from "passport-zitadel";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { addApi, addKeyedApi } from "../../server/test/support/oidc/resources.ts";
import { TestBrowser } from "../../server/test/support/sign-in/test-browser.ts";
import { signInByForms, startExpressApp } from "../support/relying-party.ts";

test("passport-zitadel: an API knows the users who signed in, until they sign out", async (t) => {
  const server = await startOidcServer(t, { now: Date.now() });
  const { origin: authority, projectId, user } = server;
  const { app, origin } = await startExpressApp(t);
  const { clientId, clientSecret } = await addApi(server, projectId);
  const profile = await addKeyedApi(server, projectId, "Keyed");
  const strategies = new Passport();
  const bySecret = { type: "basic", clientId, clientSecret } as const;
  strategies.use("secret", await ZitadelIntrospectionStrategy.create({ authority, authorization: bySecret }));
  const byKey = { type: "jwt-profile", profile } as const;
  strategies.use("key", new ZitadelIntrospectionStrategy({ authority, authorization: byKey }));
  for (const name of ["secret", "key"]) {
    app.get(`/${name}`, strategies.authenticate(name, { session: false }), (request, response) => {
      response.json(request.user);
    });
  }
  const ask = async (name: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // The library signs assertions at the real time.
    server.clock.now = Date.now();
    const answer = await fetch(`${origin}/${name}`, { headers });
    return answer.status === 200 ? ((await answer.json()) as { sub: string; username: string }) : answer.status;
  };

  const shop = await server.createClient({ authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" });
  const insecure = { execute: [client.allowInsecureRequests] };
  const configuration = await client.discovery(new URL(authority), shop.clientId, undefined, client.None(), insecure);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: shop.redirectUri,
    scope: `openid profile urn:zitadel:iam:org:project:id:${projectId}:aud`,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
  });
  const browser = new TestBrowser(server);
  const callback = new URL(await signInByForms(server, url.href, browser));
  const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
  const info = await client.fetchUserInfo(configuration, tokens.access_token, user.userId);
  assert.equal(info.name, "Ada Lovelace");

  for (const name of ["secret", "key"]) {
    assert.equal(await ask(name), 401);
    assert.equal(await ask(name, "unknown"), 401);
    const known = await ask(name, tokens.access_token);
    assert.ok(typeof known === "object");
    assert.deepEqual([known.sub, known.username], [user.userId, user.loginName]);
  }

  const end = client.buildEndSessionUrl(configuration, {
    id_token_hint: tokens.id_token ?? "",
    post_logout_redirect_uri: "https://app.example/bye",
  });
  assert.equal((await browser.open(end.pathname + end.search)).address, "https://app.example/bye");
  for (const name of ["secret", "key"]) assert.equal(await ask(name, tokens.access_token), 401);
});
