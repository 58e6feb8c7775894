import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { eachEngine } from "../../support/databases/databases.ts";
import { fetch } from "../../support/http/fetch.ts";
import { makeProof } from "../../support/oidc/dpop.ts";
import { createFapiClient, type FapiClient } from "../../support/oidc/fapi-client.ts";
import type { FormAnswer, OidcServer } from "../../support/oidc/oidc.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";

/*
 * The modules of the OpenID Foundation's plan `fapi2-security-profile-final-test-plan` (plain_fapi, openid_connect,
 * private_key_jwt, dpop, plain_response), under the names that they have there. `fapi-plan-proofs.test.ts` has those
 * of DPoP.
 */
const par = "/oauth/v2/par";
const token = "/oauth/v2/token";

type Texts = Readonly<Record<string, string>>;

const assertRefused = ({ status, body }: FormAnswer, expected: readonly [number, string], name?: string): void =>
  assert.deepEqual([status, body.error], expected, `${name}: ${JSON.stringify(body)}`);

const without = (parameters: Texts, ...names: string[]): Texts =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

/** Pushes, signs in and redeems; returns what the application got. */
async function flow(server: OidcServer, fapi: FapiClient, change: Texts = {}, leftOut: readonly string[] = []) {
  const { parameters, codeVerifier } = fapi.request();
  const url = await fapi.push(without({ ...parameters, ...change }, ...leftOut));
  const { callback } = await server.answer(url);
  const answer = await fapi.redeem(callback.searchParams.get("code") ?? "", codeVerifier);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { callback, body: answer.body, codeVerifier };
}

async function claimsOf(server: OidcServer, { client }: FapiClient, idToken: string) {
  const keys = createRemoteJWKSet(new URL(`${server.origin}/oauth/v2/keys`));
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: server.origin,
    audience: client.clientId,
    algorithms: ["PS256", "ES256", "EdDSA"],
    currentDate: new Date(server.clock.now),
  });
  return payload;
}

const codeFor = async (server: OidcServer, fapi: FapiClient) => {
  const { parameters, codeVerifier } = fapi.request();
  const { callback } = await server.answer(await fapi.push(parameters));
  const form = {
    grant_type: "authorization_code",
    code: callback.searchParams.get("code") ?? "",
    redirect_uri: fapi.client.redirectUri,
    code_verifier: codeVerifier,
  };
  return { form, codeVerifier };
};

const visit = (url: URL | string) => fetch(url, { redirect: "manual" });

eachEngine((_open, engine) => {
  test("FAPI 2.0 plan: requests that are answered", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);

    await t.test("discovery-end-point-verification", async () => {
      const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
      assert.equal(body.issuer, server.origin);
      for (const name of [
        "dpop_signing_alg_values_supported",
        "id_token_signing_alg_values_supported",
        "userinfo_signing_alg_values_supported",
        "token_endpoint_auth_signing_alg_values_supported",
      ]) {
        for (const algorithm of ["PS256", "ES256", "EdDSA"]) assert.ok(body[name].includes(algorithm), name);
      }
      assert.ok(body.token_endpoint_auth_methods_supported.includes("private_key_jwt"));
      assert.deepEqual(body.code_challenge_methods_supported, ["S256"]);
      assert.equal(body.authorization_response_iss_parameter_supported, true);
      assert.equal(body.pushed_authorization_request_endpoint, server.origin + par);
      assert.ok(!body.grant_types_supported.includes("password"));
    });

    await t.test("happy-flow", async () => {
      const { callback, body } = await flow(server, fapi);
      assert.deepEqual([...callback.searchParams.keys()].sort(), ["code", "iss", "state"]);
      assert.equal(callback.searchParams.get("iss"), server.origin);
      assert.equal(callback.searchParams.get("state"), "s-1");
      assert.equal(callback.hash, "");
      // 128 bits and more (§5.4.1).
      assert.ok((callback.searchParams.get("code") ?? "").length >= 43 && body.access_token.length >= 43);
      assert.equal(body.token_type, "DPoP");
      const claims = await claimsOf(server, fapi, body.id_token);
      assert.deepEqual([claims["nonce"], claims.sub], ["n-1", server.user.userId]);
      assert.ok(decodeProtectedHeader(body.id_token).kid);
    });

    await t.test("user-rejects-authentication", async () => {
      const { parameters } = fapi.request();
      const login = await visit(await fapi.push(parameters));
      const id = new URL(login.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
      const { body } = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
        token: server.loginToken,
        body: { error: { error: "ERROR_REASON_ACCESS_DENIED" } },
      });
      const { searchParams } = new URL(body.callbackUrl);
      const answered = ["error", "state", "iss"].map((name) => searchParams.get(name));
      assert.deepEqual(answered, ["access_denied", "s-1", server.origin]);
    });

    await t.test("ensure-authorization-request-without-state-success, -without-nonce-success", async () => {
      const { callback, body } = await flow(server, fapi, {}, ["state", "nonce"]);
      assert.equal(callback.searchParams.has("state"), false);
      assert.equal((await claimsOf(server, fapi, body.id_token))["nonce"], undefined);
    });

    await t.test("ensure-authorization-request-with-64-char-nonce-success, -with-long-nonce, -long-state", async () => {
      for (const [nonce, state] of [
        ["n".repeat(64), "s"],
        ["n".repeat(384), "s".repeat(1000)],
      ] as const) {
        const { callback, body } = await flow(server, fapi, { nonce, state });
        assert.equal(callback.searchParams.get("state"), state);
        assert.equal((await claimsOf(server, fapi, body.id_token))["nonce"], nonce);
      }
    });

    await t.test("ensure-other-scope-order-succeeds", async () => {
      const { body } = await flow(server, fapi, { scope: "offline_access email openid" });
      assert.deepEqual(new Set(body.scope.split(" ")), new Set(["openid", "email", "offline_access"]));
    });

    await t.test("test-claims-parameter-identity-claims", async () => {
      const wanted = { given_name: null, email: { essential: true }, unheard_of: null };
      const { body } = await flow(server, fapi, { claims: JSON.stringify({ id_token: wanted, userinfo: wanted }) });
      const claims = await claimsOf(server, fapi, body.id_token);
      assert.deepEqual([claims["given_name"], claims["email"]], ["Ada", "ada@example.com"]);
      assert.equal("unheard_of" in claims, false);
    });

    await t.test(
      "par-without-duplicate-parameters, ensure-different-nonce- and -state-inside-and-outside",
      async () => {
        const { parameters, codeVerifier } = fapi.request();
        const url = await fapi.push(parameters);
        const stray = { state: "outside", nonce: "outside", redirect_uri: "https://evil.example/", scope: "email" };
        for (const [name, value] of Object.entries(stray)) url.searchParams.set(name, value);
        const { callback } = await server.answer(url);
        assert.equal(callback.origin + callback.pathname, fapi.client.redirectUri);
        assert.equal(callback.searchParams.get("state"), "s-1");
        const { body } = await fapi.redeem(callback.searchParams.get("code") ?? "", codeVerifier);
        assert.equal((await claimsOf(server, fapi, body.id_token))["nonce"], "n-1");
      },
    );

    await t.test("state-only-outside-request-object-not-used", async () => {
      const { parameters } = fapi.request();
      const url = await fapi.push(without(parameters, "state"));
      url.searchParams.set("state", "outside");
      assert.equal((await server.answer(url)).callback.searchParams.has("state"), false);
    });

    await t.test(
      "par-ensure-reused-request-uri-prior-to-auth-completion-succeeds, par-attempt-reuse-request_uri",
      async () => {
        const url = await fapi.push(fapi.request().parameters);
        for (let round = 0; round < 2; round++) assert.equal((await visit(url)).status, 303);
        await server.answer(url);
        const again = await visit(url);
        assert.deepEqual([again.status, again.headers.get("location")], [400, null]);
      },
    );
  });

  test("FAPI 2.0 plan: requests that are refused", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);
    const push = async (parameters: Texts, claims: object = {}, algorithm?: string) =>
      fapi.send(par, { ...parameters, ...(await fapi.assertion({ ...claims }, algorithm)) });
    const { parameters } = fapi.request();
    const now = (): number => Math.floor(server.clock.now / 1000);

    await t.test(
      "ensure-request-object-without-redirect-uri-fails, ensure-redirect-uri-in-authorization-request, plain-fapi-tolerate-unregistered-redirect-uri",
      async () => {
        assertRefused(await push(without(parameters, "redirect_uri")), [400, "invalid_request"]);
        const unregistered = { ...parameters, redirect_uri: `${fapi.client.redirectUri}/other` };
        assertRefused(await push(unregistered), [400, "invalid_request"]);
      },
    );

    await t.test("ensure-unsigned-authorization-request-without-using-par-fails", async () => {
      const answer = await visit(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(parameters)}`);
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      const answered = ["error", "state", "iss", "code"].map((name) => searchParams.get(name));
      assert.deepEqual(answered, ["invalid_request", "s-1", server.origin, null]);
    });

    await t.test("ensure-response-type-code-idtoken-fails, ensure-response-type-token-fails", async () => {
      for (const type of ["code id_token", "token"]) {
        assertRefused(await push({ ...parameters, response_type: type }), [400, "unsupported_response_type"], type);
      }
    });

    await t.test("par-ensure-pkce-required, par-plain-pkce-rejected", async () => {
      const unproven = without(parameters, "code_challenge", "code_challenge_method");
      assertRefused(await push(unproven), [400, "invalid_request"]);
      const plain = { ...parameters, code_challenge_method: "plain" };
      assertRefused(await push(plain), [400, "invalid_request"]);
      assertRefused(await push(without(parameters, "code_challenge_method")), [400, "invalid_request"]);
    });

    await t.test(
      "par-authorization-request-containing-request_uri-form-param, par-attempt-invalid-http-method",
      async () => {
        const pushed = (await push(parameters)).body.request_uri;
        assertRefused(await push({ ...parameters, request_uri: pushed }), [400, "invalid_request"]);
        const put = await fetch(server.origin + par, { method: "PUT", body: new URLSearchParams(parameters) });
        assert.equal(put.status, 405);
      },
    );

    await t.test(
      "par-attempt-to-use-expired-request_uri, par-attempt-to-use-request_uri-for-different-client",
      async () => {
        const other = await createFapiClient(server);
        const { body } = await push(parameters);
        assert.ok(body.expires_in < 600, "FAPI 2.0 Security Profile §5.3.2.2");
        const url = new URL(`${server.origin}/oauth/v2/authorize`);
        url.search = `${new URLSearchParams({ client_id: other.client.clientId, request_uri: body.request_uri })}`;
        assert.equal((await visit(url)).status, 400, "of another client");
        url.searchParams.set("client_id", fapi.client.clientId);
        assert.equal((await visit(url)).status, 303, "its own");
        server.clock.now += body.expires_in * 1000;
        assert.equal((await visit(url)).status, 400, "too old");
      },
    );

    await t.test(
      "par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted, -over-60-seconds-in-the-future-fails",
      async () => {
        const ahead = (seconds: number) => ({ iat: now() + seconds, nbf: now() + seconds, exp: now() + seconds + 60 });
        for (const seconds of [8, 10]) assert.equal((await push(parameters, ahead(seconds))).status, 201, `${seconds}`);
        assertRefused(await push(parameters, ahead(61)), [401, "invalid_client"]);
      },
    );

    await t.test(
      "par-test-array-as-audience-fails, par-test-par-endpoint-url-as-audience-fails, par-test-token-endpoint-url-as-audience-fails",
      async () => {
        for (const aud of [
          [server.origin, "https://other.example"],
          [server.origin, server.origin + par],
          // §5.3.2.1: the issuer identifier "as a string".
          [server.origin],
          server.origin + par,
          server.origin + token,
          `${server.origin}/`,
        ]) {
          assertRefused(await push(parameters, { aud }), [401, "invalid_client"], JSON.stringify(aud));
        }
        assert.equal((await push(parameters, { aud: server.origin })).status, 201);
      },
    );
  });

  test("FAPI 2.0 plan: the token endpoint", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);
    const other = await createFapiClient(server);
    const { form } = await codeFor(server, fapi);

    await t.test(
      "ensure-client-assertion-in-token-endpoint, ensure-signed-client-assertion-with-RS256-fails, -with-exp-is-5-minutes-in-past-fails, -with-wrong-aud-fails, -with-no-sub-fails",
      async () => {
        const now = Math.floor(server.clock.now / 1000);
        for (const [name, proof] of [
          ["no assertion", { client_id: fapi.client.clientId }],
          ["RS256", await fapi.assertion({}, "RS256")],
          ["expired", await fapi.assertion({ iat: now - 360, exp: now - 300 })],
          ["another audience", await fapi.assertion({ aud: "https://other.example" })],
          ["the token endpoint", await fapi.assertion({ aud: server.origin + token })],
          ["no sub", await fapi.assertion({ sub: undefined })],
        ] as const) {
          assertRefused(await fapi.send(token, { ...form, ...proof }), [401, "invalid_client"], name);
        }
      },
    );

    await t.test("ensure-client-id-in-token-endpoint, ensure-authorization-code-is-bound-to-client", async () => {
      const swapped = { ...form, client_id: other.client.clientId };
      const forged = await fapi.assertion({ iss: other.client.clientId, sub: other.client.clientId });
      assertRefused(await fapi.send(token, { ...swapped, ...forged }), [401, "invalid_client"]);
      const stolen = await other.send(token, { ...form, ...(await other.assertion()) });
      assertRefused(stolen, [400, "invalid_grant"]);
    });

    await t.test("ensure-pkce-code-verifier-required, incorrect-pkce-code-verifier-rejected", async () => {
      for (const changed of [
        without(form, "code_verifier"),
        { ...form, code_verifier: randomBytes(32).toString("base64url") },
      ]) {
        assertRefused(await fapi.send(token, { ...changed, ...(await fapi.assertion()) }), [400, "invalid_grant"]);
      }
    });

    await t.test("ensure-holder-of-key-required", async () => {
      const bare = await server.form(token, { ...form, ...(await fapi.assertion()) });
      assertRefused(bare, [400, "invalid_dpop_proof"]);
      assert.equal((await fapi.send(token, { ...form, ...(await fapi.assertion()) })).status, 200, "with its key");
    });

    await t.test(
      "attempt-reuse-authorization-code-after-one-second, ensure-token-endpoint-fails-with-expired-auth-code",
      async () => {
        const fresh = await codeFor(server, fapi);
        const first = await fapi.send(token, { ...fresh.form, ...(await fapi.assertion()) });
        const ask = async () => {
          const { access_token: accessToken } = first.body;
          const path = "/oidc/v1/userinfo";
          const dpop = await makeProof(server, fapi.key, { method: "GET", path, accessToken });
          const headers = { authorization: `DPoP ${accessToken}`, dpop };
          return (await fetch(server.origin + path, { headers })).status;
        };
        assert.equal(await ask(), 200);
        server.clock.now += 1_000;
        const again = await fapi.send(token, { ...fresh.form, ...(await fapi.assertion()) });
        assertRefused(again, [400, "invalid_grant"]);
        assert.equal(await ask(), 401, "what the first use gave is revoked");
        await changeSettings(server, "oidc", { authorizationCodeLifetimeSeconds: 600 });
        const late = await codeFor(server, fapi);
        const plain = await server.signIn();
        server.clock.now += 61_000;
        assertRefused(await fapi.send(token, { ...late.form, ...(await fapi.assertion()) }), [400, "invalid_grant"]);
        const { redirectUri, basic } = server.client;
        const { code, codeVerifier } = plain;
        const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
        assert.equal((await server.form(token, form, basic)).status, 200, "others have what the instance gives them");
      },
    );

    await t.test("refresh-token", async () => {
      const { body } = await flow(server, fapi);
      const refresh = { grant_type: "refresh_token", refresh_token: body.refresh_token };
      const first = await fapi.send(token, { ...refresh, ...(await fapi.assertion()) });
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.equal((await claimsOf(server, fapi, first.body.id_token)).sub, server.user.userId);
      server.clock.now += 30_000;
      const lost = await fapi.send(token, { ...refresh, ...(await fapi.assertion()) });
      assert.equal(lost.status, 200, "the same token again: its answer was lost");
      const bare = await server.form(token, { ...refresh, ...(await fapi.assertion()) });
      assertRefused(bare, [400, "invalid_dpop_proof"]);
      const stolen = await other.send(token, { ...refresh, ...(await other.assertion()) });
      assertRefused(stolen, [400, "invalid_grant"]);
    });
  });
});
