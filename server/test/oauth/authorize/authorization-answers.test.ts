import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import { signedIn } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { type AuthorizationAnswer, readAnswer, readAnswerUrl } from "../../support/oidc/authorization-answer.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

const everything = {
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
};
const responseTypes = ["code", "id_token", "id_token token"] as const;
const responseModes = [undefined, "query", "fragment", "form_post", "nonsense"] as const;
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const codeChallenge = createHash("sha256").update(verifier).digest("base64url");

type Given = Readonly<Record<string, string | undefined>>;

function address(server: OidcServer, client: TestClient, given: Given): string {
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    scope: "openid email offline_access",
    nonce: "n-1",
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    ...given,
  };
  const sent = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `${server.origin}/oauth/v2/authorize?${new URLSearchParams(sent)}`;
}

function expectedMode(responseType: string, requested: string | undefined): string {
  const fallback = responseType === "code" ? "query" : "fragment";
  if (requested === "form_post" || requested === "fragment") return requested;
  return fallback;
}

const namesOf = {
  code: ["code"],
  id_token: ["expires_in", "id_token", "scope", "token_type"],
  "id_token token": ["access_token", "expires_in", "id_token", "scope", "token_type"],
} as const;

function expectShape(server: OidcServer, answer: AuthorizationAnswer | undefined, given: Given): void {
  const label = JSON.stringify(given);
  assert.ok(answer, `${label}: no answer`);
  const responseType = given["response_type"] as (typeof responseTypes)[number];
  assert.equal(answer.mode, expectedMode(responseType, given["response_mode"]), label);
  assert.equal(answer.target, server.client.redirectUri, label);
  const { state, iss, ...rest } = answer.parameters;
  assert.equal(state, given["state"], label);
  assert.equal(iss, server.origin, label);
  assert.deepEqual(Object.keys(rest).toSorted(), namesOf[responseType], label);
}

/** What the login API sends the browser to, and what the browser has of it. */
async function throughApi(
  server: OidcServer,
  client: TestClient,
  given: Given,
): Promise<AuthorizationAnswer | undefined> {
  const { callback } = await server.answer(new URL(address(server, client, given)));
  if (callback.origin !== server.origin) return readAnswerUrl(callback.href);
  return readAnswer(await fetch(callback, { redirect: "manual" }));
}

async function verifyIdToken(server: OidcServer, token: string, client: TestClient) {
  const { body } = await server.rest("GET", "/oauth/v2/keys", { token: null });
  const { payload } = await jwtVerify(token, createLocalJWKSet(body), {
    issuer: server.origin,
    audience: client.clientId,
    currentDate: new Date(server.clock.now),
  });
  return payload;
}

enginesInTurn((engine, test, both) => {
  test("a session of the browser, and one of the login API, answer in every type and mode, with the state that was sent", async (t) => {
    const server = await startOidcServer(t, { engine });
    const client = await server.createClient(everything);
    const browser = await signedIn(server, server.user);
    for (const response_type of responseTypes) {
      for (const response_mode of responseModes) {
        for (const state of [undefined, "s-1 &=#<\"'>ü"]) {
          const given = { response_type, response_mode, state };
          expectShape(server, await readAnswer(await browser.send(address(server, client, given))), given);
          const silent = { ...given, prompt: "none" };
          expectShape(server, await readAnswer(await browser.send(address(server, client, silent))), silent);
          expectShape(server, await throughApi(server, client, given), given);
        }
      }
    }
  });

  test("id_token token: both tokens are good, bound to one another, and nothing can be refreshed", async (t) => {
    const server = await startOidcServer(t, { engine });
    for (const accessTokenType of ["OIDC_TOKEN_TYPE_BEARER", "OIDC_TOKEN_TYPE_JWT"]) {
      const client = await server.createClient({ ...everything, accessTokenType });
      const answer = await throughApi(server, client, { response_type: "id_token token" });
      const { access_token: token = "", id_token = "", ...rest } = answer?.parameters ?? {};
      assert.deepEqual(rest, { token_type: "Bearer", expires_in: "43200", scope: "openid email", iss: server.origin });
      const claims = await verifyIdToken(server, id_token, client);
      assert.equal(claims["sub"], server.user.userId);
      assert.equal(claims["nonce"], "n-1");
      assert.equal(claims["azp"], client.clientId);
      assert.equal(claims["auth_time"], Math.floor(server.clock.now / 1000));
      const half = createHash("sha256").update(token).digest().subarray(0, 16).toString("base64url");
      assert.equal(claims["at_hash"], half);
      assert.equal(claims["email"], undefined, "claims of scopes come from userinfo when there is an access token");
      const info = await server.rest("GET", "/oidc/v1/userinfo", { token });
      assert.equal(info.body.email, "ada@example.com");
      assert.equal((await server.introspect(token, client))["active"], true);
    }
  });

  test("id_token: the claims of the scopes are in it, and no access token is issued", async (t) => {
    const server = await startOidcServer(t, { engine });
    const client = await server.createClient(everything);
    const answer = await throughApi(server, client, { response_type: "id_token" });
    const { id_token = "", ...rest } = answer?.parameters ?? {};
    assert.deepEqual(rest, { token_type: "Bearer", expires_in: "43200", scope: "openid email", iss: server.origin });
    const claims = await verifyIdToken(server, id_token, client);
    assert.equal(claims["email"], "ada@example.com");
    assert.equal(claims["at_hash"], undefined);
    assert.ok(claims["sid"]);
  });

  test("id_token_userinfo_assertion and id_token_signed_response_alg hold for the front channel", async (t) => {
    const server = await startOidcServer(t, { engine });
    const client = await server.createClient({
      ...everything,
      idTokenUserinfoAssertion: true,
      idTokenSignedResponseAlg: "ES256",
    });
    for (const response_type of ["id_token", "id_token token"]) {
      const answer = await throughApi(server, client, { response_type });
      const { id_token = "" } = answer?.parameters ?? {};
      assert.equal(JSON.parse(Buffer.from(id_token.split(".")[0] ?? "", "base64url").toString()).alg, "ES256");
      assert.equal((await verifyIdToken(server, id_token, client))["email"], "ada@example.com");
    }
  });

  test("tokens of the front channel end with their session", async (t) => {
    const server = await startOidcServer(t, { engine });
    const client = await server.createClient(everything);
    const url = new URL(address(server, client, { response_type: "id_token token" }));
    const { callback, sessionId, sessionToken } = await server.answer(url);
    const { access_token: token = "" } = readAnswerUrl(callback.href).parameters;
    assert.equal((await server.introspect(token, client))["active"], true);
    await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: { sessionToken } });
    assert.deepEqual(await server.introspect(token, client), { active: false });
  });

  both("an answer that waits for its browser is given once, to the key, for a minute", async (t) => {
    const server = await startOidcServer(t, { engine });
    const ask = () => new URL(address(server, server.client, { response_type: "code", response_mode: "form_post" }));
    const open = (url: URL) => fetch(url, { redirect: "manual" });
    const { callback } = await server.answer(ask());
    assert.equal(`${callback.origin}${callback.pathname}`, `${server.origin}/oauth/v2/authorize/response`);
    const wrong = new URL(callback);
    wrong.searchParams.set("key", "x".repeat(43));
    assert.equal((await open(wrong)).status, 400);
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(callback)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal((await open(callback)).status, 400);

    const late = await server.answer(ask());
    server.clock.now += 61_000;
    assert.equal((await open(late.callback)).status, 400);
  });

  test("the refusal of a login client is sent in the response mode of the request", async (t) => {
    const server = await startOidcServer(t, { engine });
    const client = await server.createClient(everything);
    for (const response_type of responseTypes) {
      for (const response_mode of responseModes) {
        const url = address(server, client, { response_type, response_mode, state: "s-1" });
        const first = await fetch(url, { redirect: "manual" });
        const id = new URL(first.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
        const { body } = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
          token: server.loginToken,
          body: { error: { error: "ERROR_REASON_ACCESS_DENIED", errorDescription: "not today" } },
        });
        const callback = new URL(body.callbackUrl);
        const answer =
          callback.origin === server.origin
            ? await readAnswer(await fetch(callback, { redirect: "manual" }))
            : readAnswerUrl(callback.href);
        assert.equal(answer?.mode, expectedMode(response_type, response_mode));
        assert.deepEqual(answer?.parameters, {
          error: "access_denied",
          error_description: "not today",
          state: "s-1",
          iss: server.origin,
        });
      }
    }
  });
});

test("the page that posts an answer runs its one script, posts to one place, has a button, and is never cached", async (t) => {
  const server = await startOidcServer(t);
  const state = `"><script>alert(1)</script>`;
  const given = { response_type: "code", response_mode: "form_post", prompt: "none", state };
  const response = await fetch(address(server, server.client, given), { redirect: "manual" });
  assert.equal(response.status, 200);
  const page = await response.clone().text();
  const script = /<script>([^<]*)<\/script>/.exec(page)?.[1] ?? "";
  const scriptHash = createHash("sha256").update(script).digest("base64");
  const policy = response.headers.get("content-security-policy")?.split("; ") ?? [];
  assert.ok(policy.includes(`script-src 'sha256-${scriptHash}'`), policy.join("; "));
  assert.ok(policy.includes("form-action https://app.example"));
  assert.ok(policy.includes("default-src 'none'") && policy.includes("frame-ancestors 'none'"));
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("referrer-policy"), "strict-origin");
  assert.equal(page.match(/<script/g)?.length, 1);
  assert.match(page, /<button class="button primary" type="submit">/);
  assert.equal((await readAnswer(response))?.parameters["state"], state);
});

test("form_post to an address that takes no forms is ignored", async (t) => {
  const server = await startOidcServer(t);
  const redirectUri = "com.example.app:/callback";
  const client = await server.createClient({
    applicationType: "OIDC_APP_TYPE_NATIVE",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    redirectUris: [redirectUri],
  });
  const given = { response_type: "code", response_mode: "form_post", prompt: "none", redirect_uri: redirectUri };
  const response = await fetch(address(server, client, given), { redirect: "manual" });
  assert.ok(response.headers.get("location")?.startsWith(`${redirectUri}?error=login_required`));
});

test("a POST from another site finds the sessions of the browser, and does not take its secret away", async (t) => {
  const server = await startOidcServer(t);
  const browser = await signedIn(server, server.user);
  const url = new URL(address(server, server.client, { response_type: "code", state: "s-1", prompt: "none" }));
  const posted = await new TestBrowser(server).send(url.pathname, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: url.searchParams.toString(),
  });
  assert.equal(posted.status, 303);
  assert.equal(posted.headers.get("set-cookie"), null);
  const answer = await readAnswer(await browser.send(posted.headers.get("location") ?? ""));
  assert.ok(answer?.parameters["code"]);
});
