import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { basicOf, type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";

const seconds = (server: OidcServer): number => Math.floor(server.clock.now / 1000);

async function userinfo(server: OidcServer, token: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.origin}/oidc/v1/userinfo`, { headers, ...init });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

eachEngine((_open, engine) => {
  test("what is said about tokens and users", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client, user } = server;
    await server.rest("POST", `/v2/users/${user.userId}/phone`, { body: { phone: "+41791234567", isVerified: true } });

    await t.test(
      "introspection says everything about an active token, opaque or JWT, and nothing about another",
      async () => {
        const jwtClient = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
        for (const by of [client, jwtClient]) {
          const tokens = await server.tokens({ client: by, scope: "openid profile email phone" });
          const answer = await server.introspect(tokens["access_token"] ?? "", by);
          const { active, aud, client_id, exp, iat, iss, nbf, scope, token_type, username, sub } = answer;
          assert.deepEqual(
            { active, client_id, exp, iat, iss, nbf, scope, token_type, username, sub },
            {
              active: true,
              client_id: by.clientId,
              exp: seconds(server) + 43_200,
              iat: seconds(server),
              iss: server.origin,
              nbf: seconds(server),
              scope: "openid profile email phone",
              token_type: "Bearer",
              username: user.loginName,
              sub: user.userId,
            },
          );
          assert.ok((aud as string[]).includes(by.clientId));
          assert.match(String(answer["jti"]), /^[\w-]{20,}$/);
          assert.equal(answer["name"], "Ada Lovelace");
          assert.equal(answer["email"], "ada@example.com");
          assert.equal(answer["phone_number"], "+41791234567");
        }
        for (const token of ["", "x", "a.b.c"].slice(1))
          assert.deepEqual(await server.introspect(token), { active: false });
        const { access_token: token = "" } = await server.tokens();
        server.clock.now += 43_200_000;
        assert.deepEqual(await server.introspect(token), { active: false }, "expired");
      },
    );

    await t.test("two tokens never have one jti", async () => {
      const ids = new Set<unknown>();
      for (let index = 0; index < 5; index++) {
        const { access_token: token = "" } = await server.tokens();
        ids.add((await server.introspect(token))["jti"]);
      }
      assert.equal(ids.size, 5);
    });

    await t.test("userinfo gives the claims of each scope, and sub without any", async () => {
      const expected: Readonly<Record<string, readonly string[]>> = {
        openid: [],
        "openid profile": ["family_name", "given_name", "name", "preferred_username", "updated_at"],
        "openid email": ["email", "email_verified"],
        "openid phone": ["phone_number", "phone_number_verified"],
        "openid address": [],
        "phone email profile openid address": [
          "email",
          "email_verified",
          "family_name",
          "given_name",
          "name",
          "phone_number",
          "phone_number_verified",
          "preferred_username",
          "updated_at",
        ],
      };
      for (const [scope, claims] of Object.entries(expected)) {
        const { access_token: token = "" } = await server.tokens({ scope });
        const { status, body } = await userinfo(server, token);
        assert.equal(status, 200);
        assert.equal(body["sub"], user.userId);
        const names = Object.keys(body).filter((name) => !["sub", "locale", "nickname", "gender"].includes(name));
        assert.deepEqual(names.sort(), [...claims].sort(), scope);
      }
    });

    await t.test(
      "userinfo refuses an ended token, several at once, and a token that is not an access token",
      async () => {
        const tokens = await server.tokens({ scope: "openid offline_access" });
        const { access_token: token = "" } = tokens;
        const form = new URLSearchParams({ access_token: token });
        assert.equal((await userinfo(server, token, { method: "POST", body: form })).status, 400, "twice");
        for (const other of [tokens["refresh_token"] ?? "", tokens["id_token"] ?? ""]) {
          assert.equal((await userinfo(server, other)).status, 401);
        }
        assert.equal((await userinfo(server, token)).status, 200);
        assert.equal((await server.form("/oauth/v2/revoke", { token }, client.basic)).status, 200);
        assert.equal((await userinfo(server, token)).body["error"], "invalid_token");
      },
    );

    await t.test("a JWT access token conforms to RFC 9068, as jose reads it, for every client", async () => {
      const machine = {
        organizationId: server.organizationId,
        username: "robot",
        machine: { name: "Robot", accessTokenType: "ACCESS_TOKEN_TYPE_JWT" },
      };
      const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
      const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
      const account = await server.form(
        "/oauth/v2/token",
        { grant_type: "client_credentials", scope: "openid" },
        basicOf("robot", clientSecret),
      );
      const jwtClient = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
      const person = await server.tokens({ client: jwtClient, scope: "openid profile email" });
      const keys = createLocalJWKSet((await server.rest("GET", "/oauth/v2/keys", { token: null })).body);
      const cases = [
        { token: person["access_token"] ?? "", sub: user.userId, clientId: jwtClient.clientId },
        { token: account.body.access_token, sub: id, clientId: id },
      ];
      for (const { token, sub, clientId } of cases) {
        const { alg, typ, kid } = decodeProtectedHeader(token);
        assert.ok(alg !== "none" && kid !== undefined);
        assert.equal(typ, "at+jwt");
        const { payload } = await jwtVerify(token, keys, {
          issuer: server.origin,
          audience: clientId,
          typ: "at+jwt",
          currentDate: new Date(server.clock.now),
          requiredClaims: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti", "nbf", "scope"],
        });
        assert.equal(payload.sub, sub);
        assert.equal(payload["client_id"], clientId);
        assert.equal(payload.exp, seconds(server) + 43_200);
        for (const claim of ["email", "name", "nonce", "azp"]) assert.equal(payload[claim], undefined, claim);
      }
    });
  });
});
