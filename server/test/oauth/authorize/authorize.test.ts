import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

function valid(server: OidcServer): Record<string, string> {
  return {
    client_id: server.client.clientId,
    redirect_uri: server.client.redirectUri,
    response_type: "code",
    scope: "openid",
    state: "s-1",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
}

async function visit(server: OidcServer, parameters: URLSearchParams | Record<string, string>) {
  const query = new URLSearchParams(parameters);
  const response = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  const location = response.headers.get("location");
  return {
    status: response.status,
    location: location === null ? null : new URL(location, server.origin),
    body: await response.text(),
  };
}

test("a good request goes to the login, with a browser secret of its own", async (t) => {
  const server = await startOidcServer(t);
  const answer = await visit(server, valid(server));
  assert.equal(answer.status, 303);
  assert.equal(answer.location?.pathname, "/ui/login");
});

const untrusted: readonly { name: string; change: Record<string, string | undefined> }[] = [
  { name: "no client id", change: { client_id: undefined } },
  { name: "an unknown client", change: { client_id: "123" } },
  { name: "no redirect URI", change: { redirect_uri: undefined } },
  { name: "an unregistered redirect URI", change: { redirect_uri: "https://evil.example/callback" } },
  { name: "a redirect URI with a fragment", change: { redirect_uri: "https://app.example/callback#x" } },
  { name: "a redirect URI that differs in case", change: { redirect_uri: "https://app.example/Callback" } },
];

test("without a trusted client and redirect URI the error is shown and the browser goes nowhere", async (t) => {
  const server = await startOidcServer(t);
  for (const { name, change } of untrusted) {
    const parameters = Object.entries({ ...valid(server), ...change }).filter(([, value]) => value !== undefined);
    const answer = await visit(server, Object.fromEntries(parameters) as Record<string, string>);
    assert.equal(answer.status, 400, name);
    assert.equal(answer.location, null, name);
  }
});

const refused: readonly { name: string; change: Record<string, string | undefined>; error: string }[] = [
  { name: "no response type", change: { response_type: undefined }, error: "invalid_request" },
  { name: "an unknown response type", change: { response_type: "device" }, error: "unsupported_response_type" },
  { name: "no scope", change: { scope: undefined }, error: "invalid_request" },
  { name: "a scope without openid", change: { scope: "profile" }, error: "invalid_scope" },
  { name: "a scope with a character that is not allowed", change: { scope: 'openid "x"' }, error: "invalid_scope" },
  {
    name: "an organization that nobody knows",
    change: { scope: "openid urn:service:iam:org:id:1" },
    error: "invalid_scope",
  },
  { name: "the plain challenge method", change: { code_challenge_method: "plain" }, error: "invalid_request" },
  { name: "a challenge without a method", change: { code_challenge_method: undefined }, error: "invalid_request" },
  { name: "a method without a challenge", change: { code_challenge: undefined }, error: "invalid_request" },
  { name: "a challenge of the wrong form", change: { code_challenge: "x" }, error: "invalid_request" },
  { name: "prompt none without a session", change: { prompt: "none" }, error: "login_required" },
  { name: "prompt none with another one", change: { prompt: "none login" }, error: "invalid_request" },
  { name: "prompt none with an unknown one", change: { prompt: "none dance" }, error: "invalid_request" },
  { name: "a max_age that is no number", change: { max_age: "soon" }, error: "invalid_request" },
  {
    name: "a request object by reference",
    change: { request_uri: "https://app.example/r" },
    error: "request_uri_not_supported",
  },
  { name: "a state that is too long", change: { nonce: "n".repeat(2_000) }, error: "invalid_request" },
];

test("every other error goes to the client, with state and iss", async (t) => {
  const server = await startOidcServer(t);
  for (const { name, change, error } of refused) {
    const parameters = Object.entries({ ...valid(server), ...change }).filter(([, value]) => value !== undefined);
    const answer = await visit(server, Object.fromEntries(parameters) as Record<string, string>);
    assert.equal(answer.status, 303, name);
    assert.equal(
      answer.location && `${answer.location.origin}${answer.location.pathname}`,
      server.client.redirectUri,
      name,
    );
    assert.equal(answer.location?.searchParams.get("error"), error, name);
    assert.equal(answer.location?.searchParams.get("state"), "s-1", name);
    assert.equal(answer.location?.searchParams.get("iss"), server.origin, name);
    assert.ok(answer.location?.searchParams.get("error_description"), name);
  }
});

test("a repeated parameter is invalid_request; a repeated redirect URI is shown and goes nowhere", async (t) => {
  const server = await startOidcServer(t);
  const repeatedScope = new URLSearchParams(valid(server));
  repeatedScope.append("scope", "openid profile");
  assert.equal((await visit(server, repeatedScope)).location?.searchParams.get("error"), "invalid_request");
  const repeatedUri = new URLSearchParams(valid(server));
  repeatedUri.append("redirect_uri", "https://evil.example/");
  const answer = await visit(server, repeatedUri);
  assert.equal(answer.status, 400);
  assert.equal(answer.location, null);
});

test("a public client must use PKCE", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({
    applicationType: "OIDC_APP_TYPE_USER_AGENT",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  });
  const { code_challenge: _challenge, code_challenge_method: _method, ...rest } = valid(server);
  const answer = await visit(server, { ...rest, client_id: client.clientId });
  assert.equal(answer.location?.searchParams.get("error"), "invalid_request");
});

test("the request also travels by POST", async (t) => {
  const server = await startOidcServer(t);
  const response = await fetch(`${server.origin}/oauth/v2/authorize`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(valid(server)),
  });
  assert.equal(response.status, 303);
  // The cookie of the browser did not come along, so the same request comes once more as a GET, which brings it.
  const again = new URL(response.headers.get("location") ?? "", server.origin);
  assert.deepEqual(Object.fromEntries(again.searchParams), valid(server));
  const answer = await fetch(again, { redirect: "manual" });
  assert.match(answer.headers.get("location") ?? "", /^\/ui\/login\?authRequest=\d+$/);
});

test("an authorization request is answered once", async (t) => {
  const server = await startOidcServer(t);
  const answer = await visit(server, valid(server));
  const id = answer.location?.searchParams.get("authRequest");
  const session = await server.rest("POST", "/v2/sessions", {
    body: { checks: { user: { userId: server.user.userId }, password: { password: server.user.password } } },
  });
  const { sessionId, sessionToken } = session.body;
  const finish = () =>
    server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
      token: server.loginToken,
      body: { session: { sessionId, sessionToken } },
    });
  assert.equal((await finish()).status, 200);
  assert.equal((await finish()).status, 404);
});

test("a login client may refuse, and the client reads the error", async (t) => {
  const server = await startOidcServer(t);
  const id = (await visit(server, valid(server))).location?.searchParams.get("authRequest");
  const refuse = (errorUri: string) =>
    server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
      token: server.loginToken,
      body: { error: { error: "ERROR_REASON_ACCESS_DENIED", errorDescription: "not today", errorUri } },
    });
  const hostile = await refuse("javascript:alert(1)");
  assert.deepEqual([hostile.status, hostile.body.details[0].id], [400, "field.uri"]);
  const answer = await refuse("https://login.example/why?code=7");
  const url = new URL(answer.body.callbackUrl);
  assert.equal(url.searchParams.get("error"), "access_denied");
  assert.equal(url.searchParams.get("error_description"), "not today");
  assert.equal(url.searchParams.get("error_uri"), "https://login.example/why?code=7");
  assert.equal(url.searchParams.get("state"), "s-1");
});

test("a session without a password check, or older than max_age, is not enough", async (t) => {
  const server = await startOidcServer(t);
  const named = await server.rest("POST", "/v2/sessions", {
    body: { checks: { user: { userId: server.user.userId } } },
  });
  const old = await server.rest("POST", "/v2/sessions", {
    body: { checks: { user: { userId: server.user.userId }, password: { password: server.user.password } } },
  });
  server.clock.now += 120_000;
  const id = (await visit(server, { ...valid(server), max_age: "60" })).location?.searchParams.get("authRequest");
  for (const { body } of [named, old]) {
    const { sessionId, sessionToken } = body;
    const answer = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
      token: server.loginToken,
      body: { session: { sessionId, sessionToken } },
    });
    assert.equal(answer.status, 403);
    assert.equal(answer.body.details[0].id, "auth_request.session_insufficient");
  }
});
