import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";

test("discovery names only what is served, under the issuer, and can be kept", async (t) => {
  const server = await startOidcServer(t);
  const { body, headers, status } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.equal(status, 200);
  assert.equal(body.issuer, server.origin);
  assert.equal(headers.get("access-control-allow-origin"), "*");
  for (const [name, value] of Object.entries(body)) {
    if (!name.endsWith("_endpoint") && name !== "jwks_uri") continue;
    assert.ok((value as string).startsWith(server.origin), name);
    assert.notEqual((await fetch(value as string, { method: "POST", redirect: "manual" })).status, 404, name);
  }
  assert.deepEqual(body.code_challenge_methods_supported, ["S256"]);
  assert.deepEqual(body.response_types_supported, ["code", "id_token", "id_token token"]);
  assert.deepEqual(body.response_modes_supported, ["query", "fragment", "form_post"]);
  assert.deepEqual(body.scopes_supported, ["openid", "profile", "email", "phone", "offline_access"], "(C12)");
  for (const claim of ["address", "client_id"]) assert.ok(!body.claims_supported.includes(claim), claim);
  for (const claim of ["sub", "azp", "email"]) assert.ok(body.claims_supported.includes(claim), claim);
  assert.ok(body.grant_types_supported.includes("implicit"));
  assert.equal(body.request_parameter_supported, true);
  assert.ok(!body.request_object_signing_alg_values_supported.includes("none"));
  assert.equal(body.request_uri_parameter_supported, false);
  const etag = headers.get("etag") ?? "";
  const again = await server.rest("GET", "/.well-known/openid-configuration", {
    token: null,
    headers: { "if-none-match": etag },
  });
  assert.equal(again.status, 304);
  const authorizationServer = await server.rest("GET", "/.well-known/oauth-authorization-server", { token: null });
  assert.equal(authorizationServer.status, 404);
});

test("the key set has a kid and an algorithm for each key, nothing private, and can be kept", async (t) => {
  const server = await startOidcServer(t);
  const { body, headers } = await server.rest("GET", "/oauth/v2/keys", { token: null });
  assert.ok(body.keys.length >= 2);
  for (const key of body.keys) {
    assert.ok(key.kid && key.alg && key.use === "sig");
    for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"]) assert.equal(key[secret], undefined);
  }
  assert.match(headers.get("cache-control") ?? "", /max-age=300/);
  const known = { "if-none-match": headers.get("etag") ?? "" };
  assert.equal((await server.rest("GET", "/oauth/v2/keys", { token: null, headers: known })).status, 304);
});

test("a browser of any origin may call the back channel, and no origin may call the front", async (t) => {
  const server = await startOidcServer(t);
  const preflight = (path: string) =>
    fetch(server.origin + path, {
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-method": "POST" },
    });
  assert.equal((await preflight("/oauth/v2/token")).headers.get("access-control-allow-origin"), "*");
  const authorize = await preflight("/oauth/v2/authorize");
  assert.equal(authorize.headers.get("access-control-allow-origin"), null);
});
