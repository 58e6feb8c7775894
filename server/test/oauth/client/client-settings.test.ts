import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { startOidcServer } from "../../support/oidc/oidc.ts";

test("an id token is signed with the algorithm of the application's choice, at the code and at every refresh", async (t) => {
  const server = await startOidcServer(t);
  for (const algorithm of ["RS256", "RS512", "ES256", "ES384", "EdDSA"]) {
    const client = await server.createClient({ idTokenSignedResponseAlg: algorithm });
    const tokens = await server.tokens({ client, scope: "openid offline_access" });
    assert.equal(decodeProtectedHeader(tokens["id_token"] ?? "").alg, algorithm);
    const parameters = { grant_type: "refresh_token", refresh_token: tokens["refresh_token"] ?? "" };
    const refreshed = await server.form("/oauth/v2/token", parameters, client.basic);
    assert.equal(decodeProtectedHeader(refreshed.body.id_token).alg, algorithm);
  }
});

test("a narrow audience names the client alone, and the other applications of the project see nothing", async (t) => {
  const server = await startOidcServer(t);
  const sibling = server.client;
  const cases = [
    { narrowAudience: true, isSeenBySibling: false },
    { narrowAudience: false, isSeenBySibling: true },
  ];
  for (const { narrowAudience, isSeenBySibling } of cases) {
    const client = await server.createClient({ narrowAudience, accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
    const { access_token: token = "" } = await server.tokens({ client });
    const audience = [decodeJwt(token).aud].flat();
    assert.equal(audience.includes(sibling.clientId), isSeenBySibling);
    assert.equal(audience.includes(client.clientId), true);
    assert.equal((await server.introspect(token, client))["active"], true);
    assert.equal((await server.introspect(token, sibling))["active"], isSeenBySibling);
  }
});

test("within its grace a replaced refresh token gets the same answer once, and after it ends the family", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({ refreshTokenGrace: "5s" });
  const refresh = (token: string) =>
    server.form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: token }, client.basic);
  const { refresh_token: first = "" } = await server.tokens({ client, scope: "openid offline_access" });
  const answer = await refresh(first);
  assert.equal(answer.status, 200);
  assert.equal((await refresh(first)).body.refresh_token, answer.body.refresh_token);
  assert.equal((await refresh(first)).body.error, "invalid_grant");
  assert.equal((await refresh(answer.body.refresh_token)).body.error, "invalid_grant");
});
