import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { hostileForms } from "../../support/hostile/hostile-jose.ts";
import { fetch } from "../../support/http/fetch.ts";
import { createKeyedClient, type KeyedClient } from "../../support/oidc/application-key.ts";
import { type AuthorizationAnswer, readAnswer } from "../../support/oidc/authorization-answer.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { type GoodToken, goodJwt } from "../../support/oidc/signed-jose.ts";

type Values = Readonly<Record<string, unknown>>;

/** An object that is right in everything, unless something is changed. */
function good({ clock, origin }: OidcServer, keyed: KeyedClient, claims: Values = {}, header: Values = {}): GoodToken {
  const now = Math.floor(clock.now / 1000);
  const { client, keyId, privateKey, publicKey } = keyed;
  const stated = { iss: client.clientId, aud: origin, exp: now + 300, iat: now, ...claims };
  return {
    header: { alg: "RS256", kid: keyId, ...header },
    claims: Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
    privateKey,
    publicKey,
  };
}

const outside = ({ client }: KeyedClient) => ({
  client_id: client.clientId,
  redirect_uri: client.redirectUri,
  response_type: "code",
  scope: "openid",
  state: "outside",
  prompt: "none",
});

async function ask(
  server: OidcServer,
  parameters: Values,
): Promise<{ status: number; answer: AuthorizationAnswer | undefined }> {
  const sent = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const response = await fetch(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(sent)}`, {
    redirect: "manual",
  });
  return { status: response.status, answer: await readAnswer(response) };
}

test("only the parameters of a signed request object count, beside client_id (A21)", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const { clientId, redirectUri } = keyed.client;
  const inside = {
    redirect_uri: redirectUri,
    scope: "openid",
    state: "inside",
    prompt: "none",
    response_mode: "fragment",
  };
  const request = goodJwt(good(server, keyed, inside));
  const bare = { client_id: clientId, request: goodJwt(good(server, keyed, { ...inside, response_type: "code" })) };
  // OpenID Connect Core §6.1: these two are outside; the object may leave them to the query.
  const minimal = { client_id: clientId, response_type: "code", request };
  const { scope: _scope, ...unscoped } = inside;
  const scoped = { ...minimal, scope: "openid", request: goodJwt(good(server, keyed, unscoped)) };
  const differing = {
    ...minimal,
    scope: "openid",
    redirect_uri: "https://evil.example/",
    state: "x",
    response_mode: "query",
  };
  for (const parameters of [bare, minimal, scoped, differing]) {
    const { answer } = await ask(server, parameters);
    assert.equal(answer?.target, redirectUri);
    assert.equal(answer?.mode, "fragment");
    assert.equal(answer?.parameters["state"], "inside");
    assert.equal(answer?.parameters["error"], "login_required");
  }
});

test("what stands beside an object is not merged into it (A21)", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const request = goodJwt(good(server, keyed, { redirect_uri: keyed.client.redirectUri, scope: "openid email" }));
  const beside = {
    ...outside(keyed),
    prompt: undefined,
    login_hint: "mallory",
    ui_locales: "de",
    max_age: "1",
    nonce: "outside",
    response_mode: "form_post",
  };
  const query = Object.entries({ ...beside, request }).filter(([, value]) => value !== undefined) as [string, string][];
  const { callback } = await server.answer(
    new URL(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(query)}`),
  );
  assert.deepEqual([...callback.searchParams.keys()].toSorted(), ["code", "iss"], "no state, and not as a form");
  const form = { grant_type: "authorization_code", code: callback.searchParams.get("code") ?? "" };
  const assertion = goodJwt(good(server, keyed, { sub: keyed.client.clientId, jti: randomUUID() }));
  const proof = {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
  const { body } = await server.form("/oauth/v2/token", {
    ...form,
    redirect_uri: keyed.client.redirectUri,
    ...proof,
  });
  assert.equal(body.scope, "openid email");
  assert.equal(JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString()).nonce, undefined);
});

test("an object with a jti is answered once; until then it may be brought again (A21)", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const request = goodJwt(
    good(server, keyed, { redirect_uri: keyed.client.redirectUri, scope: "openid", jti: randomUUID() }),
  );
  const query = { client_id: keyed.client.clientId, response_type: "code", scope: "openid", request };
  const url = new URL(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(query)}`);
  for (let round = 0; round < 2; round++) {
    assert.equal((await fetch(url, { redirect: "manual" })).status, 303, "a look does not use it up");
  }
  const { callback } = await server.answer(url);
  assert.ok(callback.searchParams.get("code"));
  const again = await ask(server, { ...query, redirect_uri: keyed.client.redirectUri });
  assert.equal(again.answer?.parameters["error"], "invalid_request_object");
  const endless = goodJwt(good(server, keyed, { redirect_uri: keyed.client.redirectUri, scope: "openid" }));
  for (let round = 0; round < 2; round++) {
    await server.answer(
      new URL(`${server.origin}/oauth/v2/authorize?${new URLSearchParams({ ...query, request: endless })}`),
    );
  }
});

test("an application that must send signed objects is answered only when it does (A21)", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server, { requireSignedRequestObject: true });
  const all = { ...outside(keyed) };
  assert.equal((await ask(server, all)).answer?.parameters["error"], "invalid_request");
  const { client_id: clientId, ...inside } = all;
  const request = goodJwt(good(server, keyed, inside));
  const { answer } = await ask(server, { client_id: clientId, request });
  assert.equal(answer?.parameters["error"], "login_required");
  const lacking = goodJwt(good(server, keyed, { ...inside, response_type: undefined }));
  const refused = await ask(server, { ...all, request: lacking });
  assert.equal(refused.answer?.parameters["error"], "invalid_request", "not even what OpenID Connect has outside");
});

test("a request object may come with other audiences, and of its own media type", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const now = Math.floor(server.clock.now / 1000);
  const own = { state: "inside", prompt: "none", redirect_uri: keyed.client.redirectUri };
  const variants = [
    good(server, keyed, { ...own, iat: undefined }),
    good(server, keyed, { ...own, aud: ["https://other.example", server.origin] }),
    good(server, keyed, own, { typ: "oauth-authz-req+jwt" }),
    good(server, keyed, { ...own, iat: now - 3_300, nbf: now - 3_300, exp: now + 300 }),
    good(server, keyed, { ...own, max_age: 60, client_id: keyed.client.clientId }),
  ];
  for (const variant of variants) {
    const { answer } = await ask(server, { ...outside(keyed), request: goodJwt(variant) });
    assert.equal(answer?.parameters["state"], "inside");
    assert.equal(answer?.parameters["error"], "login_required");
  }
});

test("max_age inside, a number, is enforced like one outside", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const session = await server.rest("POST", "/v2/sessions", {
    body: { checks: { user: { userId: server.user.userId }, password: { password: server.user.password } } },
  });
  server.clock.now += 120_000;
  const inside = { max_age: 60, prompt: "login", redirect_uri: keyed.client.redirectUri };
  const request = goodJwt(good(server, keyed, inside));
  const query = new URLSearchParams({ ...outside(keyed), request });
  const response = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  const id = new URL(response.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
  const { sessionId, sessionToken } = session.body;
  const path = `/v2/oidc/auth_requests/${id}`;
  const { body } = await server.rest("GET", path, { token: server.loginToken });
  assert.equal(body.authRequest.maxAge, "60s");
  const answer = await server.rest("POST", path, {
    token: server.loginToken,
    body: { session: { sessionId, sessionToken } },
  });
  assert.equal(answer.status, 403);
});

test("claims that do not fit are refused by redirect to the address outside, or on a page without one", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const other = await createKeyedClient(server);
  const now = Math.floor(server.clock.now / 1000);
  const { clientId } = keyed.client;
  const refused: readonly [name: string, object: GoodToken, error?: string][] = [
    ["no expiry", good(server, keyed, { exp: undefined })],
    ["a life of more than an hour", good(server, keyed, { exp: now + 3_602 })],
    [
      "a life of more than an hour, from nbf",
      good(server, keyed, { iat: undefined, nbf: now - 3_000, exp: now + 700 }),
    ],
    ["more than an hour from now", good(server, keyed, { iat: undefined, exp: now + 3_700 })],
    ["another issuer", good(server, keyed, { iss: other.client.clientId })],
    ["no issuer", good(server, keyed, { iss: undefined })],
    ["another audience", good(server, keyed, { aud: "https://other.example" })],
    ["no audience", good(server, keyed, { aud: undefined })],
    ["expired", good(server, keyed, { exp: now - 60 })],
    ["not yet good", good(server, keyed, { nbf: now + 60 })],
    ["issued in the future", good(server, keyed, { iat: now + 60 })],
    ["a client assertion", good(server, keyed, { sub: clientId })],
    ["a client assertion by its type", good(server, keyed, {}, { typ: "client-authentication+jwt" })],
    ["an access token by its type", good(server, keyed, {}, { typ: "at+jwt" })],
    ["the key of another client", { ...good(server, other), claims: good(server, keyed).claims }],
    ["the id of a key of another client", good(server, keyed, {}, { kid: other.keyId })],
    ["an object within", good(server, keyed, { request: "x" })],
    ["a reference within", good(server, keyed, { request_uri: "https://app.example/r" })],
    ["a list as a parameter", good(server, keyed, { scope: ["openid"] })],
    ["an object as a parameter", good(server, keyed, { state: {} })],
    ["NUL in a parameter", good(server, keyed, { state: "a\0b" })],
    ["half of a surrogate pair", good(server, keyed, { nonce: "a\ud800b" })],
    ["another client inside", good(server, keyed, { client_id: other.client.clientId }), "invalid_request"],
    ["another response type inside", good(server, keyed, { response_type: "id_token" }), "invalid_request"],
    ["less scope inside", good(server, keyed, { scope: "profile" }), "invalid_request"],
  ];
  for (const [name, object, error = "invalid_request_object"] of refused) {
    const request = goodJwt(object);
    const { answer } = await ask(server, { ...outside(keyed), request });
    assert.equal(answer?.parameters["error"], error, name);
    assert.equal(answer?.parameters["state"], "outside", name);
    const blind = await ask(server, { ...outside(keyed), redirect_uri: undefined, request });
    assert.equal(blind.status, 400, name);
    assert.equal(blind.answer, undefined, name);
  }
});

test("no hostile token is taken for a request object, and none makes a failure of ours", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const tokens = hostileForms(good(server, keyed, { state: "inside" }));
  assert.ok(tokens.length > 100);
  for (const { name, token } of tokens) {
    // The type of request objects themselves; and what no address carries.
    if (name.includes("oauth-authz-req+jwt") || token === "" || token.length > 12_000) continue;
    const { answer, status } = await ask(server, { ...outside(keyed), request: token });
    // With a NUL character no parameter is read, not even where the answer goes.
    if (token.includes("\0")) {
      assert.deepEqual([status, answer], [400, undefined], name);
      continue;
    }
    const error = answer?.parameters["error"] ?? "";
    assert.ok(["invalid_request_object", "request_not_supported"].includes(error), `${name}: ${error}`);
    assert.equal(answer?.parameters["state"], "outside", name);
  }
});

test("a key that expired, and a client without keys, sign nothing", async (t) => {
  const server = await startOidcServer(t);
  const expirationDate = new Date(server.clock.now + 60_000).toISOString();
  const keyed = await createKeyedClient(server, {}, expirationDate);
  const secretive = { ...keyed, client: server.client };
  assert.equal(
    (
      await ask(server, {
        ...outside(keyed),
        request: goodJwt(good(server, keyed, { prompt: "none", redirect_uri: keyed.client.redirectUri })),
      })
    ).answer?.parameters["error"],
    "login_required",
  );
  server.clock.now += 61_000;
  for (const one of [keyed, secretive]) {
    const { answer } = await ask(server, { ...outside(one), request: goodJwt(good(server, one)) });
    assert.equal(answer?.parameters["error"], "invalid_request_object");
  }
});

test("a request object can be pushed (RFC 9126 §3); a bad one is refused there", async (t) => {
  const server = await startOidcServer(t);
  const keyed = await createKeyedClient(server);
  const { clientId, redirectUri } = keyed.client;
  const proof = () => ({
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: goodJwt(good(server, keyed, { sub: clientId, jti: randomUUID() })),
  });
  const inside = { redirect_uri: redirectUri, response_type: "code", scope: "openid", state: "inside", prompt: "none" };
  const form = (claims: Values) => ({
    client_id: clientId,
    request: goodJwt(good(server, keyed, claims)),
    ...proof(),
  });
  const pushed = await server.form("/oauth/v2/par", form(inside));
  assert.equal(pushed.status, 201, JSON.stringify(pushed.body));
  const { answer } = await ask(server, { client_id: clientId, request_uri: pushed.body.request_uri });
  assert.equal(answer?.parameters["state"], "inside");
  const refused = await server.form("/oauth/v2/par", form({ ...inside, aud: "https://other.example" }));
  assert.equal(refused.body.error, "invalid_request_object");
});
