import assert from "node:assert/strict";
import { test } from "node:test";
import { exportJWK, generateKeyPair } from "jose";
import { createKeyedClient } from "../../support/oidc/application-key.ts";
import { asFapiClient, createFapiClient } from "../../support/oidc/fapi-client.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { register, registered, registrationPath, setRegistration } from "../../support/oidc/registration.ts";

const par = "/oauth/v2/par";

test("request objects at PAR: everything is in them (C2, C9, A21)", async (t) => {
  const server = await startOidcServer(t);
  const fapi = await createFapiClient(server, { requireSignedRequestObject: true });
  const { client_id: clientId = "", ...inside } = fapi.request().parameters;
  const pushed = async (more: Readonly<Record<string, string>>) =>
    fapi.send(par, { client_id: clientId, ...more, ...(await fapi.assertion()) });

  const bare = await pushed({ request: await fapi.requestObject(inside) });
  assert.equal(bare.status, 201, JSON.stringify(bare.body));
  const agreeing = { request: await fapi.requestObject(inside), response_type: "code", scope: "openid" };
  assert.equal((await pushed(agreeing)).status, 201);

  const { response_type: _type, ...untyped } = inside;
  const now = Math.floor(server.clock.now / 1000);
  const unsigned = [{ alg: "none" }, { iss: clientId, aud: server.origin, exp: now + 60, ...inside }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const refused: readonly [name: string, form: Readonly<Record<string, string>>, error: string][] = [
    ["no object", inside, "invalid_request"],
    ["unsigned", { request: `${unsigned}.` }, "invalid_request_object"],
    ["RS256", { request: await fapi.requestObject(inside, "RS256") }, "invalid_request_object"],
    ["no exp", { request: await fapi.requestObject({ ...inside, exp: undefined }) }, "invalid_request_object"],
    ["no nbf", { request: await fapi.requestObject({ ...inside, nbf: undefined }) }, "invalid_request_object"],
    ["long", { request: await fapi.requestObject({ ...inside, exp: now + 3_602 }) }, "invalid_request_object"],
    [
      "old",
      { request: await fapi.requestObject({ ...inside, nbf: now - 3_700, exp: now + 10 }) },
      "invalid_request_object",
    ],
    ["future", { request: await fapi.requestObject({ ...inside, nbf: now + 120 }) }, "invalid_request_object"],
    ["expired", { request: await fapi.requestObject({ ...inside, exp: now - 60 }) }, "invalid_request_object"],
    [
      "no response_type in it",
      { request: await fapi.requestObject(untyped), response_type: "code" },
      "invalid_request",
    ],
    [
      "another response_type beside it",
      { request: await fapi.requestObject(inside), response_type: "id_token" },
      "invalid_request",
    ],
    ["more scope beside it", { request: await fapi.requestObject(inside), scope: "openid email" }, "invalid_request"],
  ];
  for (const [name, form, error] of refused) {
    const answer = await pushed(form);
    assert.deepEqual([answer.status, answer.body.error], [400, error], name);
  }

  const once = { request: await fapi.requestObject({ ...inside, jti: "j-1" }) };
  assert.equal((await pushed(once)).status, 201);
  assert.equal((await pushed(once)).body.error, "invalid_request_object", "used before");
});

test("a pushed object carries the whole sign-in", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const fapi = await asFapiClient(server, keyed);
  const { parameters, codeVerifier } = fapi.request();
  const { client_id: clientId = "", ...inside } = parameters;
  const request = await fapi.requestObject(inside);
  const stray = { state: "outside", nonce: "outside", redirect_uri: "https://evil.example/", prompt: "none" };
  const { callback } = await server.answer(await fapi.push({ client_id: clientId, request, ...stray }));
  assert.equal(callback.searchParams.get("state"), "s-1");
  const { body } = await fapi.redeem(callback.searchParams.get("code") ?? "", codeVerifier);
  assert.ok(body.refresh_token, "the scope of the object");
});

test("a client registers with the profile, and cannot leave it by itself (RFC 7591, RFC 7592)", async (t) => {
  const server = await startOidcServer(t);
  await setRegistration(server, "open");
  const { publicKey } = await generateKeyPair("PS256", { extractable: true });
  const metadata = {
    redirect_uris: ["https://app.example/callback"],
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: "k-1" }] },
    security_profile: "fapi2",
  };
  const demanded = {
    security_profile: "fapi2",
    require_pushed_authorization_requests: true,
    require_pkce: true,
    dpop_bound_access_tokens: true,
    refresh_token_rotation_disabled: true,
    client_assertion_audience: "issuer",
    id_token_signed_response_alg: "ES256",
  };
  const made = await registered(server, metadata, null);
  const partOf = (body: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.keys(demanded).map((name) => [name, body[name]]));
  assert.deepEqual(partOf(made), demanded);
  const wrong: readonly [name: string, change: object, error: string][] = [
    ["a secret", { token_endpoint_auth_method: "client_secret_basic" }, "invalid_client_metadata"],
    ["an algorithm", { id_token_signed_response_alg: "RS512" }, "invalid_client_metadata"],
    ["http", { redirect_uris: ["http://localhost/callback"], application_type: "web" }, "invalid_redirect_uri"],
    ["implicit", { grant_types: ["implicit"], response_types: ["id_token"] }, "invalid_client_metadata"],
    ["an unknown profile", { security_profile: "fapi1" }, "invalid_client_metadata"],
    ["an unknown audience", { client_assertion_audience: "anything" }, "invalid_client_metadata"],
    ["not a boolean", { require_pkce: "yes" }, "invalid_client_metadata"],
  ];
  for (const [name, change, error] of wrong) {
    const { status, body } = await register(server, { ...metadata, ...change }, null);
    assert.deepEqual([status, body.error], [400, error], name);
  }
  const keepable = { redirect_uris: metadata.redirect_uris, refresh_token_rotation_disabled: true };
  const { body: refused } = await register(server, keepable, null);
  assert.match(refused.error_description, /refresh_token_rotation_disabled/);
  const { security_profile: _profile, ...plain } = metadata;
  const path = `${registrationPath}/${made.client_id}`;
  const put = await server.rest("PUT", path, { token: made.registration_access_token, body: plain });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  assert.deepEqual(partOf(put.body), demanded, "only an administrator lifts what the client is bound to");
  const loosened = await server.rest("PUT", path, {
    token: put.body.registration_access_token,
    body: { ...plain, token_endpoint_auth_method: "none" },
  });
  assert.deepEqual([loosened.status, loosened.body.error], [400, "invalid_client_metadata"]);
});
