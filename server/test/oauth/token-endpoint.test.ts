import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { signAssertion } from "../support/oidc/assertions.ts";
import { basicOf, type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";

const token = "/oauth/v2/token";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

async function makeAccount(server: OidcServer) {
  const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
  const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
  const key = await server.rest("POST", `/v2/users/${id}/keys`, { body: { expirationDate: "2100-01-01T00:00:00Z" } });
  const file = JSON.parse(Buffer.from(key.body.keyContent, "base64").toString("utf8"));
  return { basic: basicOf("robot", clientSecret), assertion: () => signAssertion(server, { ...file, subject: id }) };
}

eachEngine((_open, engine) => {
  test("the token endpoint, request by request", async (t) => {
    const server = await startOidcServer(t, { engine });
    const account = await makeAccount(server);
    const { client } = server;

    await t.test("a grant without a parameter that it needs is invalid_request", async () => {
      const complete: readonly { request: Record<string, string>; headers?: Record<string, string> }[] = [
        { request: { grant_type: "authorization_code", code: "x", redirect_uri: "x" }, headers: client.basic },
        { request: { grant_type: "refresh_token", refresh_token: "x" }, headers: client.basic },
        // A scope is not needed (R3).
        { request: { grant_type: "client_credentials" }, headers: account.basic },
        { request: { grant_type: jwtBearer, assertion: account.assertion(), scope: "openid" } },
      ];
      for (const { request, headers } of complete) {
        for (const missing of Object.keys(request)) {
          for (const sent of [undefined, ""]) {
            const { [missing]: _left, ...rest } = request;
            const answer = await server.form(token, sent === undefined ? rest : { ...rest, [missing]: sent }, headers);
            const label = `${request["grant_type"]} without ${missing}: ${JSON.stringify(answer.body)}`;
            assert.equal(answer.status, 400, label);
            assert.equal(answer.body.error, "invalid_request", label);
            assert.equal(answer.headers.get("cache-control"), "no-store", label);
          }
        }
      }
    });

    await t.test("a scope that is unknown or malformed is invalid_scope", async () => {
      for (const scope of ["nonsense", 'openid "x"', "openid \u00e9", "openid\\x", "a".repeat(9_000)]) {
        const answer = await server.form(token, { grant_type: "client_credentials", scope }, account.basic);
        assert.equal(answer.body.error, "invalid_scope", scope.slice(0, 30));
        const { refresh_token: refreshToken = "" } = await server.tokens({ scope: "openid offline_access" });
        const refreshed = await server.form(
          token,
          { grant_type: "refresh_token", refresh_token: refreshToken, scope },
          client.basic,
        );
        assert.equal(refreshed.body.error, "invalid_scope", scope.slice(0, 30));
        // The refusal did not spend the token.
        const again = await server.form(
          token,
          { grant_type: "refresh_token", refresh_token: refreshToken },
          client.basic,
        );
        assert.equal(again.status, 200);
      }
    });

    await t.test("a grant type that the client may not use is unauthorized_client", async () => {
      const codeOnly = await server.createClient({ grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"] });
      const answer = await server.form(token, { grant_type: "refresh_token", refresh_token: "x" }, codeOnly.basic);
      assert.deepEqual([answer.status, answer.body.error], [400, "unauthorized_client"]);
      // Without offline_access for it either, whatever it asks for.
      const tokens = await server.tokens({ client: codeOnly, scope: "openid offline_access" });
      assert.equal(tokens["refresh_token"], undefined);
    });

    await t.test(
      "grant types that are not served are unsupported_grant_type, before the client authenticates",
      async () => {
        for (const grantType of [
          "password",
          "implicit",
          "AUTHORIZATION_CODE",
          "urn:ietf:params:oauth:grant-type:saml2-bearer",
        ]) {
          const answer = await server.form(token, { grant_type: grantType });
          assert.deepEqual([answer.status, answer.body.error], [400, "unsupported_grant_type"], grantType);
        }
      },
    );

    await t.test("a refresh token that was never issued is invalid_grant", async () => {
      const { access_token: accessToken = "", id_token: idToken = "" } = await server.tokens();
      for (const refreshToken of ["x", accessToken, idToken, `dwr_${"A".repeat(43)}`]) {
        const request = { grant_type: "refresh_token", refresh_token: refreshToken };
        const answer = await server.form(token, request, client.basic);
        assert.deepEqual([answer.status, answer.body.error], [400, "invalid_grant"]);
      }
    });

    await t.test("every answer says Bearer, whole seconds, the scope, and no-store", async () => {
      const { code, codeVerifier } = await server.signIn({ scope: "openid email offline_access" });
      const redeemed = await server.form(
        token,
        { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
        client.basic,
      );
      const refreshed = await server.form(
        token,
        { grant_type: "refresh_token", refresh_token: redeemed.body.refresh_token },
        client.basic,
      );
      const asserted = await server.form(token, {
        grant_type: jwtBearer,
        assertion: account.assertion(),
        scope: "openid email",
      });
      const credentials = await server.form(
        token,
        { grant_type: "client_credentials", scope: "openid" },
        account.basic,
      );
      const members = ["access_token", "expires_in", "scope", "token_type"];
      for (const [answer, more] of [
        [redeemed, ["id_token", "refresh_token"]],
        [refreshed, ["id_token", "refresh_token"]],
        [asserted, ["id_token"]],
        [credentials, []],
      ] as const) {
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        assert.deepEqual(Object.keys(answer.body).sort(), [...members, ...more].sort());
        assert.equal(answer.body.token_type, "Bearer");
        assert.equal(answer.body.expires_in, 43_200);
        assert.match(answer.body.scope, /^openid/);
        assert.equal(answer.headers.get("cache-control"), "no-store");
        assert.equal(answer.headers.get("pragma"), "no-cache");
        assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
      }
    });

    await t.test("an unexpected failure is server_error, and reveals nothing internal", async () => {
      const { code, codeVerifier } = await server.signIn();
      const { domain } = server.app;
      const instance = await domain.findInstanceByHost("localhost");
      const call = testCall({ instanceId: instance?.instanceId ?? "", now: domain.clock() });
      await domain.database.touch(call, (tx) => tx.run(sql`update authorization_codes set issuance = 'broken'`));
      const answer = await server.form(
        token,
        { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
        client.basic,
      );
      assert.equal(answer.status, 500);
      assert.deepEqual(answer.body, { error: "server_error", error_description: "unexpected condition" });
      assert.equal(server.errorLog.splice(0).length, 1);
    });
  });
});
