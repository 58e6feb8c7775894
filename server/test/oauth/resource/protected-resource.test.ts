import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import { startServer } from "../../support/servers/server.ts";

test("our own APIs say who issues tokens for them, and every 401 says where that stands", async (t) => {
  const server = await startServer(t);
  const metadata = `${server.origin}/.well-known/oauth-protected-resource`;
  const { status, body, headers } = await server.rest("GET", "/.well-known/oauth-protected-resource", { token: null });
  assert.equal(status, 200);
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
  assert.equal(headers.get("access-control-allow-origin"), "*");
  assert.equal(body.resource, server.origin);
  assert.deepEqual(body.authorization_servers, [server.origin]);
  assert.deepEqual(body.bearer_methods_supported, ["header"]);
  assert.deepEqual(body.scopes_supported, [
    "urn:service:iam:org:project:id:service:aud",
    "urn:service:iam:api:me:read",
    "urn:service:iam:api:me:write",
    "urn:service:iam:api:admin:read",
    "urn:service:iam:api:admin:write",
  ]);
  assert.ok(body.dpop_signing_alg_values_supported.includes("ES256"));
  const discovery = await fetch(`${body.authorization_servers[0]}/.well-known/openid-configuration`);
  assert.equal(((await discovery.json()) as { issuer: string }).issuer, server.origin);

  for (const token of [null, "unknown"]) {
    const rest = await server.rest("GET", "/v2/settings", { token });
    const connect = await server.connect("service.user.v2.UserService/ListUsers", {}, { token });
    for (const answer of [rest, connect]) {
      assert.equal(answer.status, 401);
      const challenge = answer.headers.get("www-authenticate") ?? "";
      assert.ok(challenge.startsWith("Bearer "), challenge);
      assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge);
      assert.match(challenge, /, DPoP algs="ES256 /);
      assert.equal(challenge.includes('error="invalid_token"'), token !== null, challenge);
    }
    const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token });
    assert.equal(userinfo.status, 401);
    const challenge = userinfo.headers.get("www-authenticate") ?? "";
    assert.match(challenge, /^Bearer error="invalid_token", .*, DPoP algs="ES256 /);
    assert.equal(challenge.split(`resource_metadata="${metadata}"`).length, 3, `both schemes: ${challenge}`);
  }
  assert.equal((await server.rest("GET", "/v2/settings")).headers.get("www-authenticate"), null);
});
