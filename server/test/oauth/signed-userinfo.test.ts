import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import { fetch } from "../support/http/fetch.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { minimal, register, registered, registrationPath, setRegistration } from "../support/oidc/registration.ts";

const ask = async (server: OidcServer, token: string) => {
  const response = await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test("userinfo is signed for the client that asked for it, and only then", async (t) => {
  const server = await startOidcServer(t);
  for (const algorithm of ["RS256", "ES256", "EdDSA"]) {
    const client = await server.createClient({ userinfoSignedResponseAlg: algorithm });
    const { access_token: token = "" } = await server.tokens({ client, scope: "openid profile" });
    const { status, headers, text } = await ask(server, token);
    assert.equal(status, 200);
    assert.match(headers.get("content-type") ?? "", /^application\/jwt/);
    assert.equal(headers.get("cache-control"), "no-store");
    const keys = createLocalJWKSet((await server.rest("GET", "/oauth/v2/keys", { token: null })).body);
    const expected = { issuer: server.origin, audience: client.clientId, typ: "userinfo+jwt" };
    const { payload, protectedHeader } = await jwtVerify(text, keys, expected);
    assert.equal(protectedHeader.alg, algorithm);
    assert.deepEqual([payload.sub, payload["name"]], [server.user.userId, "Ada Lovelace"]);
    assert.deepEqual([payload["nonce"], payload["auth_time"], payload.exp], [undefined, undefined, undefined]);
    // It proves nothing anywhere: neither as a token nor as an id token.
    assert.equal((await ask(server, text)).status, 401);
    assert.equal((await server.introspect(text, client))["active"], false);
    const hinted = await server.rest("GET", `/oidc/v1/end_session?id_token_hint=${text}`, { token: null });
    assert.equal(hinted.status, 400);
    const update = { applicationId: client.applicationId, projectId: server.projectId };
    const { status: updated } = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
      ...update,
      oidcConfiguration: { userinfoSignedResponseAlg: "" },
    });
    assert.equal(updated, 200);
    assert.equal(JSON.parse((await ask(server, token)).text).sub, server.user.userId, "plain again");
  }
  const refused = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
    projectId: server.projectId,
    name: "odd",
    oidcConfiguration: { redirectUris: ["https://app.example/cb"], userinfoSignedResponseAlg: "HS256" },
  });
  assert.equal(refused.status, 400);
});

test("a client registers the algorithm of userinfo, and discovery names those that there are", async (t) => {
  const server = await startOidcServer(t);
  await setRegistration(server, "open");
  const { body: discovery } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.ok(discovery.userinfo_signing_alg_values_supported.includes("RS256"));
  const made = await registered(server, { ...minimal, userinfo_signed_response_alg: "RS256" }, null);
  assert.equal(made.userinfo_signed_response_alg, "RS256");
  const path = `${registrationPath}/${made.client_id}`;
  const token = made.registration_access_token;
  assert.equal((await server.rest("GET", path, { token })).body.userinfo_signed_response_alg, "RS256");
  const replaced = await server.rest("PUT", path, { token, body: minimal });
  assert.equal(replaced.body.userinfo_signed_response_alg, undefined, "what is left out is gone");
  for (const algorithm of ["none", "HS256", "RSA1_5", 1]) {
    const { status } = await register(server, { ...minimal, userinfo_signed_response_alg: algorithm }, null);
    assert.equal(status, 400, String(algorithm));
  }
});
