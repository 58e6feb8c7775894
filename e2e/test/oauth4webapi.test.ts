import assert from "node:assert/strict";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { signInByForms } from "../support/relying-party.ts";

const insecure = { [oauth.allowInsecureRequests]: true };

async function discover({ origin }: OidcServer): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(origin);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
}

test("oauth4webapi", async (t) => {
  // The library looks at its own clock.
  const server = await startOidcServer(t, { now: Date.now() });
  const provider = await discover(server);
  const client: oauth.Client = { client_id: server.client.clientId };
  const { redirectUri } = server.client;

  for (const [name, authentication, configuration] of [
    ["client_secret_basic", oauth.ClientSecretBasic, {}],
    ["client_secret_post", oauth.ClientSecretPost, { authMethodType: "OIDC_AUTH_METHOD_TYPE_POST" }],
  ] as const) {
    await t.test(`${name}: pushed request, code with PKCE, userinfo, refresh, introspection, revocation`, async () => {
      const registered = name === "client_secret_basic" ? server.client : await server.createClient(configuration);
      const known = { ...client, client_id: registered.clientId };
      const proof = authentication(registered.clientSecret);
      const verifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const asked = {
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid email offline_access",
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      const pushed = await oauth.processPushedAuthorizationResponse(
        provider,
        known,
        await oauth.pushedAuthorizationRequest(provider, known, proof, asked, insecure),
      );
      const url = new URL(provider.authorization_endpoint ?? "");
      url.searchParams.set("client_id", registered.clientId);
      url.searchParams.set("request_uri", pushed.request_uri);
      const callback = oauth.validateAuthResponse(
        provider,
        known,
        new URL(await signInByForms(server, url.href)),
        state,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(
        provider,
        known,
        await oauth.authorizationCodeGrantRequest(provider, known, proof, callback, redirectUri, verifier, insecure),
        { expectedNonce: nonce, requireIdToken: true },
      );
      const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
      assert.equal(sub, server.user.userId);
      const info = await oauth.processUserInfoResponse(
        provider,
        known,
        sub,
        await oauth.userInfoRequest(provider, known, tokens.access_token, insecure),
      );
      assert.equal(info.email, "ada@example.com");

      const refreshed = await oauth.processRefreshTokenResponse(
        provider,
        known,
        await oauth.refreshTokenGrantRequest(provider, known, proof, tokens.refresh_token ?? "", insecure),
      );
      assert.notEqual(refreshed.access_token, tokens.access_token);
      const isActive = async (token: string): Promise<boolean> => {
        const by = server.client;
        const basic = oauth.ClientSecretBasic(by.clientSecret);
        const asking = { client_id: by.clientId };
        const answer = await oauth.introspectionRequest(provider, asking, basic, token, insecure);
        return (await oauth.processIntrospectionResponse(provider, asking, answer)).active;
      };
      assert.equal(await isActive(refreshed.access_token), true);
      const revoked = await oauth.revocationRequest(provider, known, proof, refreshed.refresh_token ?? "", insecure);
      await oauth.processRevocationResponse(revoked);
      assert.equal(await isActive(refreshed.access_token), false);
    });
  }

  await t.test(
    "DPoP: a code bound to a key gives tokens that work only with proofs of that key, including nonces",
    async () => {
      const proof = oauth.ClientSecretBasic(server.client.clientSecret);
      const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
      const verifier = oauth.generateRandomCodeVerifier();
      const url = new URL(provider.authorization_endpoint ?? "");
      url.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        state: "s",
        scope: "openid email",
        code_challenge_method: "S256",
        dpop_jkt: await DPoP.calculateThumbprint(),
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      }).toString();
      const callback = oauth.validateAuthResponse(
        provider,
        client,
        new URL(await signInByForms(server, url.href)),
        "s",
      );
      const options = { ...insecure, DPoP };
      const tokens = await withNonce(async () =>
        oauth.processAuthorizationCodeResponse(
          provider,
          client,
          await oauth.authorizationCodeGrantRequest(provider, client, proof, callback, redirectUri, verifier, options),
        ),
      );
      assert.equal(tokens.token_type, "dpop");
      const ask = async (given: typeof insecure) =>
        oauth.processUserInfoResponse(
          provider,
          client,
          server.user.userId,
          await oauth.userInfoRequest(provider, client, tokens.access_token, given),
        );
      assert.equal((await withNonce(() => ask(options))).email, "ada@example.com");
      await assert.rejects(() => ask(insecure), oauth.WWWAuthenticateChallengeError);
    },
  );

  await t.test("an answer with another state, another issuer or an error is refused by the library", async () => {
    const at = (parameters: Record<string, string>): URL =>
      new URL(`${redirectUri}?${new URLSearchParams(parameters)}`);
    const { issuer: iss } = provider;
    assert.throws(() => oauth.validateAuthResponse(provider, client, at({ code: "x", state: "a", iss }), "b"));
    const elsewhere = at({ code: "x", state: "a", iss: "https://other.example" });
    assert.throws(() => oauth.validateAuthResponse(provider, client, elsewhere, "a"));
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(provider.authorization_endpoint ?? "");
    const query = { client_id: client.client_id, redirect_uri: redirectUri, response_type: "code", prompt: "none" };
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const sent = { ...query, scope: "openid", state: "s", code_challenge: challenge, code_challenge_method: "S256" };
    url.search = new URLSearchParams(sent).toString();
    const { headers } = await fetch(url, { redirect: "manual" });
    const refused = (): unknown =>
      oauth.validateAuthResponse(provider, client, new URL(headers.get("location") ?? ""), "s");
    assert.throws(refused, { name: "AuthorizationResponseError", error: "login_required" });
  });

  await t.test("client credentials of a service account; a wrong secret is refused with a challenge", async () => {
    const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
    const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    const { clientSecret } = (await server.rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
    const robot = { client_id: "robot" };
    const request = async (secret: string) =>
      oauth.processClientCredentialsResponse(
        provider,
        robot,
        await oauth.clientCredentialsGrantRequest(
          provider,
          robot,
          oauth.ClientSecretBasic(secret),
          { scope: "openid" },
          insecure,
        ),
      );
    assert.equal((await request(clientSecret)).token_type, "bearer");
    const refused = (error: unknown): boolean =>
      (error instanceof oauth.ResponseBodyError && error.error === "invalid_client") ||
      error instanceof oauth.WWWAuthenticateChallengeError;
    await assert.rejects(() => request("wrong"), refused);
  });
});

/** Asks again once when the server wants its nonce in the proof (RFC 9449 §8); the library remembers it. */
async function withNonce<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return ask();
  }
}
