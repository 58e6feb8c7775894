import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { fetch } from "../../support/http/fetch.ts";
import { createKeyedClient } from "../../support/oidc/assertions.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";

const par = "/oauth/v2/par";
const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const requestOf = (client: TestClient): Record<string, string> => ({
  redirect_uri: client.redirectUri,
  response_type: "code",
  scope: "openid",
  state: "s-1",
  code_challenge: codeChallenge,
  code_challenge_method: "S256",
});

async function push(server: OidcServer, client: TestClient, more: Record<string, string> = {}): Promise<string> {
  const answer = await server.form(par, { ...requestOf(client), ...more }, client.basic);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.request_uri;
}

function bring(server: OidcServer, query: Record<string, string>): Promise<Response> {
  return fetch(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(query)}`, { redirect: "manual" });
}

const url = (server: OidcServer, query: Record<string, string>): URL =>
  new URL(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(query)}`);

eachEngine((_open, engine) => {
  test("pushed authorization requests (RFC 9126)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client } = server;

    await t.test("a pushed request is answered with its code, and only what was pushed counts", async () => {
      const answer = await server.form(par, requestOf(client), client.basic);
      assert.equal(answer.status, 201);
      assert.deepEqual(Object.keys(answer.body).sort(), ["expires_in", "request_uri"]);
      assert.ok(answer.body.expires_in >= 60 && answer.body.expires_in <= 90);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.match(answer.body.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
      const query = { client_id: client.clientId, request_uri: answer.body.request_uri };
      const { callback } = await server.answer(
        url(server, { ...query, scope: "openid profile", state: "evil", redirect_uri: "https://evil.example/" }),
      );
      assert.equal(callback.origin + callback.pathname, client.redirectUri);
      assert.equal(callback.searchParams.get("state"), "s-1");
      const redeemed = await server.form(
        "/oauth/v2/token",
        {
          grant_type: "authorization_code",
          code: callback.searchParams.get("code") ?? "",
          redirect_uri: client.redirectUri,
          code_verifier: codeVerifier,
        },
        client.basic,
      );
      assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
      assert.equal(redeemed.body.scope, "openid");
    });

    await t.test("a reload, a second tab or a link preview does not use a reference up (C6)", async () => {
      const query = { client_id: client.clientId, request_uri: await push(server, client) };
      for (let round = 0; round < 3; round++) assert.equal((await bring(server, query)).status, 303);
      const { callback } = await server.answer(url(server, query));
      assert.ok(callback.searchParams.get("code"));
      const again = await bring(server, query);
      assert.deepEqual([again.status, again.headers.get("location")], [400, null], "answered: used up");
    });

    await t.test(
      "of 20 requests of one reference that are answered at the same time one gets a code (C6)",
      async () => {
        const query = { client_id: client.clientId, request_uri: await push(server, client) };
        const brought = await Promise.all(Array.from({ length: 20 }, () => bring(server, query)));
        // The reference expires meanwhile; what was begun with it continues.
        server.clock.now += 91_000;
        const { userId, password } = server.user;
        const session = await server.rest("POST", "/v2/sessions", {
          body: { checks: { user: { userId }, password: { password } } },
        });
        const { sessionId, sessionToken } = session.body;
        const answers = await Promise.all(
          brought.map((answer) => {
            const login = new URL(answer.headers.get("location") ?? "", server.origin);
            return server.rest("POST", `/v2/oidc/auth_requests/${login.searchParams.get("authRequest")}`, {
              token: server.loginToken,
              body: { session: { sessionId, sessionToken } },
            });
          }),
        );
        assert.equal(answers.filter(({ status }) => status === 200).length, 1);
        for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
          assert.equal(status, 400, JSON.stringify(body));
        }
      },
    );

    await t.test("an error that goes to the client is an answer, too (C6)", async () => {
      const query = { client_id: client.clientId, request_uri: await push(server, client, { prompt: "none" }) };
      const answers = await Promise.all(Array.from({ length: 5 }, () => bring(server, query)));
      const sent = answers.filter(({ status }) => status === 303);
      assert.equal(sent.length, 1);
      assert.equal(new URL(sent[0]?.headers.get("location") ?? "").searchParams.get("error"), "login_required");
      const declined = { client_id: client.clientId, request_uri: await push(server, client) };
      const login = new URL((await bring(server, declined)).headers.get("location") ?? "", server.origin);
      const path = `/v2/oidc/auth_requests/${login.searchParams.get("authRequest")}`;
      const { status } = await server.rest("POST", path, {
        token: server.loginToken,
        body: { error: { error: "ERROR_REASON_ACCESS_DENIED" } },
      });
      assert.equal(status, 200);
      assert.equal((await bring(server, declined)).status, 400);
    });

    await t.test("a reference is of its client, of this moment, and exactly itself", async () => {
      const other = await server.createClient();
      const requestUri = await push(server, client);
      const wrong: Record<string, string>[] = [
        { client_id: other.clientId, request_uri: requestUri },
        { request_uri: requestUri },
        { client_id: client.clientId, request_uri: `${requestUri}x` },
        { client_id: client.clientId, request_uri: "urn:ietf:params:oauth:request_uri:" },
      ];
      for (const query of wrong) assert.equal((await bring(server, query)).status, 400);
      const right = { client_id: client.clientId, request_uri: requestUri };
      assert.equal((await bring(server, right)).status, 303, "trying did not spend it");
      const late = { ...right, request_uri: await push(server, client) };
      server.clock.now += 90_000;
      assert.equal((await bring(server, late)).status, 400);
    });

    await t.test("what is wrong with a request is said when it is pushed", async () => {
      const wrong: readonly [change: Record<string, string | undefined>, error: string][] = [
        [{ redirect_uri: undefined }, "invalid_request"],
        [{ redirect_uri: "https://evil.example/" }, "invalid_request"],
        [{ response_type: undefined }, "invalid_request"],
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ scope: undefined }, "invalid_request"],
        [{ scope: "profile" }, "invalid_scope"],
        [{ scope: "openid urn:service:iam:org:id:1" }, "invalid_scope"],
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ prompt: "none login" }, "invalid_request"],
        [{ max_age: "soon" }, "invalid_request"],
        [{ request_uri: "https://app.example/request" }, "invalid_request"],
        [{ request_uri: await push(server, client) }, "invalid_request"],
        [{ client_id: "1" }, "invalid_request"],
      ];
      for (const [change, error] of wrong) {
        const parameters = Object.entries({ ...requestOf(client), ...change }).filter(
          ([, value]) => value !== undefined,
        );
        const answer = await server.form(par, Object.fromEntries(parameters) as Record<string, string>, client.basic);
        assert.deepEqual([answer.status, answer.body.error], [400, error], JSON.stringify(change));
      }
      const repeated = new URLSearchParams(requestOf(client));
      repeated.append("state", "s-2");
      const answer = await fetch(server.origin + par, { method: "POST", headers: client.basic, body: repeated });
      assert.equal(((await answer.json()) as { error: string }).error, "invalid_request");
    });

    await t.test("clients prove themselves as at the token endpoint", async () => {
      const keyed = await createKeyedClient(server);
      const open = await server.createClient({
        applicationType: "OIDC_APP_TYPE_NATIVE",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
        redirectUris: ["com.example.app:/callback", client.redirectUri],
      });
      const inBody = { client_id: client.clientId, client_secret: client.clientSecret };
      const asked = (parameters: Record<string, string>) => server.form(par, { ...requestOf(client), ...parameters });
      assert.equal((await asked(inBody)).status, 201);
      assert.equal((await asked(keyed.proof())).status, 201);
      assert.equal((await asked({ client_id: open.clientId })).status, 201);
      assert.equal(
        (await asked({ client_id: open.clientId, code_challenge: "", code_challenge_method: "" })).status,
        400,
      );
      for (const wrong of [{}, { client_id: client.clientId }, { ...inBody, client_secret: "x" }]) {
        assert.deepEqual([(await asked(wrong)).status, (await asked(wrong)).body.error], [401, "invalid_client"]);
      }
    });

    await t.test("an application that must push is answered only when it did", async () => {
      const strict = await server.createClient({ requirePushedAuthorizationRequests: true });
      const plain = { ...requestOf(strict), client_id: strict.clientId };
      const refused = await bring(server, plain);
      const location = new URL(refused.headers.get("location") ?? "");
      assert.equal(location.searchParams.get("error"), "invalid_request");
      assert.equal(location.searchParams.get("state"), "s-1");
      const query = { client_id: strict.clientId, request_uri: await push(server, strict) };
      assert.equal((await bring(server, query)).status, 303);
      const path = "service.application.v2.ApplicationService/GetApplication";
      const { body } = await server.connect(path, { applicationId: strict.applicationId });
      assert.equal(body.application.oidcConfiguration.requirePushedAuthorizationRequests, true);
    });

    await t.test("discovery names the endpoint", async () => {
      const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
      assert.equal(body.pushed_authorization_request_endpoint, server.origin + par);
      assert.equal(body.require_pushed_authorization_requests, false);
    });

    await t.test("unused requests expire by themselves", async () => {
      await push(server, client);
      server.clock.now += 3_700_000;
      await server.app.jobs.tick();
      const { database } = server.app.domain;
      const row = await database.read.maybe<{ rows: number }>(sql`select count(*) as "rows" from pushed_requests`);
      assert.equal(Number(row?.rows), 0);
      const answered = async (): Promise<number> => {
        const found = await database.read.maybe<{ rows: number }>(
          sql`select count(*) as "rows" from answered_references`,
        );
        return Number(found?.rows);
      };
      const query = { client_id: client.clientId, request_uri: await push(server, client) };
      await server.answer(url(server, query));
      assert.ok((await answered()) > 0);
      server.clock.now += 3 * 3_600_000;
      await server.app.jobs.tick();
      assert.equal(await answered(), 0, "once no request of the reference can be waiting");
    });
  });
});
