import assert from "node:assert/strict";
import { createPrivateKey, sign } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { signAssertion } from "../support/oidc/assertions.ts";
import { basicOf, type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { changeSettings } from "../support/servers/change-settings.ts";

async function makeAccount(server: OidcServer, username = "robot") {
  const machine = { organizationId: server.organizationId, username, machine: { name: "Robot" } };
  const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const { clientSecret } = (await server.rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
  const key = await server.rest("POST", `/v2/users/${userId}/keys`, {
    body: { expirationDate: "2100-01-01T00:00:00Z" },
  });
  const file = JSON.parse(Buffer.from(key.body.keyContent, "base64").toString("utf8"));
  return { userId: userId as string, clientSecret: clientSecret as string, file };
}

eachEngine((_open, engine) => {
  test("client credentials: by login name or bare username, by Basic or in the body", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { clientSecret, userId } = await makeAccount(server);
    const request = { grant_type: "client_credentials", scope: "openid profile" };
    const requests = [
      server.form("/oauth/v2/token", request, basicOf("robot", clientSecret)),
      server.form("/oauth/v2/token", request, basicOf("robot@doorward.localhost", clientSecret)),
      server.form("/oauth/v2/token", { ...request, client_id: "robot", client_secret: clientSecret }),
    ];
    for (const { status, body } of await Promise.all(requests)) {
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).sort(), ["access_token", "expires_in", "scope", "token_type"]);
      const response = await fetch(`${server.origin}/oidc/v1/userinfo`, {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
      assert.equal(((await response.json()) as { sub: string }).sub, userId);
    }
  });
});

eachEngine((_open, engine) => {
  test("a namesake in another organization takes no name from a service account (A12)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId: own } = await addOwnedOrganization(server, "Own");
    const make = async (organizationId: string, username: string) => {
      const body = { organizationId, username, machine: { name: username } };
      const { id } = (await server.rest("POST", "/v2/users/new", { body })).body;
      const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
      return () =>
        server.form(
          "/oauth/v2/token",
          { grant_type: "client_credentials", scope: "openid" },
          basicOf(username, clientSecret),
        );
    };
    const deployer = await make(own, "deployer");
    assert.equal((await deployer()).status, 200);
    const { organizationId: other } = await addOwnedOrganization(server, "Other");
    server.clock.now += 1_000;
    const namesake = await make(other, "deployer");
    assert.equal((await deployer()).status, 200, "the first goes on");
    assert.equal((await namesake()).body.error, "invalid_client", "the second goes by its login name or id");
    server.clock.now += 1_000;
    const shared = await make(server.organizationId, "deployer");
    assert.equal((await shared()).status, 200, "the default organization is trusted by all others");
  });
});

test("client credentials without scope give a token for the client's own use (R3)", async (t) => {
  const server = await startOidcServer(t);
  const { clientSecret } = await makeAccount(server);
  const basic = basicOf("robot", clientSecret);
  for (const scope of [{}, { scope: "" }]) {
    const answer = await server.form("/oauth/v2/token", { grant_type: "client_credentials", ...scope }, basic);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body).sort(), ["access_token", "expires_in", "token_type"]);
    assert.deepEqual(await server.introspect(answer.body.access_token), { active: false }, "for nobody else");
    const api = await server.rest("GET", "/auth/v1/users/me", { token: answer.body.access_token });
    assert.equal(api.status, 401, "not for our own APIs");
  }
  const wrong = await server.form("/oauth/v2/token", { grant_type: "client_credentials" }, basicOf("robot", "x"));
  assert.deepEqual([wrong.status, wrong.body.error], [401, "invalid_client"]);
});

test("client credentials are refused to all but service accounts, each with its own error", async (t) => {
  const server = await startOidcServer(t);
  const { clientSecret, userId } = await makeAccount(server);
  const request = { grant_type: "client_credentials", scope: "openid" };
  const ask = (headers?: Record<string, string>, more: Record<string, string> = {}) =>
    server.form("/oauth/v2/token", { ...request, ...more }, headers);
  assert.equal((await ask(basicOf("robot", "wrong"))).body.error, "invalid_client");
  assert.equal((await ask(basicOf("nobody", clientSecret))).body.error, "invalid_client");
  assert.equal((await ask()).body.error, "invalid_client");
  assert.equal((await ask(server.client.basic)).body.error, "unauthorized_client");
  assert.equal((await ask(basicOf("robot", clientSecret), { scope: "nonsense" })).body.error, "invalid_scope");
  await server.rest("POST", `/v2/users/${userId}/deactivate`, { body: {} });
  assert.equal((await ask(basicOf("robot", clientSecret))).body.error, "invalid_client");
});

test("JWT profile: an assertion signed by the account's key, once; an id token with openid", async (t) => {
  const server = await startOidcServer(t);
  const { userId, file } = await makeAccount(server);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(server.clock.now / 1000);
  const assertion = (claims: object = {}): string => {
    const all = {
      iss: userId,
      sub: userId,
      aud: server.origin,
      iat: now,
      exp: now + 60,
      jti: Math.random().toString(36),
      ...claims,
    };
    const input = `${encode({ alg: "RS256", kid: file.keyId })}.${encode(all)}`;
    return `${input}.${sign("sha256", Buffer.from(input), createPrivateKey(file.key)).toString("base64url")}`;
  };
  const ask = (text: string) =>
    server.form("/oauth/v2/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      scope: "openid urn:service:iam:org:project:id:service:aud",
      assertion: text,
    });
  const once = assertion();
  const first = await ask(once);
  assert.equal(first.status, 200);
  assert.ok(first.body.id_token);
  assert.equal(first.body.refresh_token, undefined);
  assert.equal((await server.rest("GET", `/v2/users/${userId}`, { token: first.body.access_token })).status, 200);
  assert.equal((await ask(once)).body.error, "invalid_grant");
  for (const claims of [{ exp: now - 30 }, { sub: "1" }, { aud: "https://elsewhere.example" }, { iat: now - 4_000 }]) {
    const answer = await ask(assertion(claims));
    assert.equal(answer.body.error, "invalid_grant", JSON.stringify(claims));
    assert.equal(answer.status, 400);
  }
  server.clock.now = Date.UTC(2100, 0, 2);
  const late = Math.floor(server.clock.now / 1000);
  const expiredKey = await ask(assertion({ iat: late, exp: late + 60 }));
  assert.equal(expiredKey.body.error, "invalid_grant", "an expired key signs nothing");
});

eachEngine((_open, engine) => {
  test("a service account named like an application gets no token that looks like the application's (A10)", async (t) => {
    const server = await startOidcServer(t, { engine });
    // Names without a domain, so that the login name is all that the owner chose.
    await changeSettings(server, "domain", { loginNameIncludesDomain: false });
    const { client, projectId } = server;
    const own = await server.tokens();
    const ask = async (account: { readonly clientSecret: string }, username: string) =>
      server.form(
        "/oauth/v2/token",
        { grant_type: "client_credentials", scope: "openid" },
        basicOf(username, account.clientSecret),
      );
    for (const username of [client.clientId, projectId]) {
      const account = await makeAccount(server, username);
      const { status, body } = await ask(account, username);
      assert.equal(status, 200, JSON.stringify(body));
      // The application does not take the token for one of its own, and may not revoke it.
      assert.deepEqual(await server.introspect(body.access_token), { active: false });
      const revoked = await server.form("/oauth/v2/revoke", { token: body.access_token }, client.basic);
      assert.equal(revoked.body.error, "invalid_client");
      assert.equal((await server.rest("GET", "/oidc/v1/userinfo", { token: body.access_token })).status, 200);
      const assertion = signAssertion(server, { ...account.file, subject: account.userId });
      const profile = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", scope: "openid", assertion };
      const { id_token: idToken } = (await server.form("/oauth/v2/token", profile)).body;
      const claims = JSON.parse(Buffer.from(idToken.split(".")[1], "base64url").toString());
      assert.deepEqual([claims.aud, claims.azp, claims.sub], [[account.userId], account.userId, account.userId]);
      const ended = await fetch(`${server.origin}/oidc/v1/end_session?id_token_hint=${idToken}`, {
        redirect: "manual",
      });
      assert.equal(ended.headers.get("location"), `/ui/logout?client_id=${account.userId}`);
    }
    assert.equal((await server.introspect(own["access_token"] ?? ""))["active"], true);

    // A chosen id may be that of an application as well, from before ids were unique: it gets nothing.
    for (const id of [client.clientId, projectId]) {
      const account = await makeAccount(server, `robot-${id}`);
      assert.equal((await ask(account, `robot-${id}`)).status, 200, "the control");
      await server.app.domain.database.touch(testCall({ instanceId: await instanceOf(server) }), (tx) =>
        tx.run(sql`update users set user_id = ${id} where user_id = ${account.userId}`),
      );
      assert.equal((await ask(account, `robot-${id}`)).body.error, "unauthorized_client");
    }
  });
});

const instanceOf = async ({ app }: OidcServer): Promise<string> =>
  (await app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
