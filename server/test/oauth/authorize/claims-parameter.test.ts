import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { signedIn } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { readAnswer } from "../../support/oidc/authorization-answer.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";

const asked = (claims: object | string) => ({ claims: typeof claims === "string" ? claims : JSON.stringify(claims) });

function address(server: OidcServer, parameters: Readonly<Record<string, string>>): string {
  const { clientId, redirectUri } = server.client;
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    state: "s-1",
    ...parameters,
  });
  return `/oauth/v2/authorize?${query}`;
}

enginesInTurn((engine, test) => {
  test("claims that are asked for by name come in the id token and from userinfo, and again after a refresh", async (t) => {
    const server = await startOidcServer(t, { engine });
    const wanted = {
      id_token: { email: null, nonsense: { essential: true }, auth_time: { essential: true } },
      userinfo: { name: { essential: true }, preferred_username: null },
      other: { email: null },
    };
    const scope = "openid offline_access";
    const first = await server.tokens({ scope, parameters: asked(wanted) });
    const form = { grant_type: "refresh_token", refresh_token: first["refresh_token"] ?? "" };
    const next = await server.form("/oauth/v2/token", form, server.client.basic);
    for (const tokens of [first, next.body]) {
      const idToken = decodeJwt(tokens.id_token);
      assert.equal(idToken["email"], "ada@example.com");
      assert.equal(idToken["name"], undefined);
      assert.equal(idToken["auth_time"], Math.floor(server.clock.now / 1000));
      const { body } = await server.rest("GET", "/oidc/v1/userinfo", { token: tokens.access_token });
      assert.deepEqual(Object.keys(body).toSorted(), ["name", "preferred_username", "sub"]);
      assert.equal((await server.introspect(tokens.access_token))["name"], undefined);
    }
    const plain = await server.tokens({ scope: "openid" });
    assert.equal(decodeJwt(plain["id_token"] ?? "")["email"], undefined);
  });

  test("sub with a value is answered by that user only, on every path", async (t) => {
    const server = await startOidcServer(t, { engine });
    const browser = await signedIn(server, server.user);
    const { userId } = server.user;
    const answer = async (sub: object, member = "id_token", more: Record<string, string> = {}) => {
      const parameters = { prompt: "none", ...asked({ [member]: { sub } }), ...more };
      return (await readAnswer(await browser.send(address(server, parameters))))?.parameters ?? {};
    };
    for (const member of ["id_token", "userinfo"]) {
      assert.ok((await answer({ value: userId }, member))["code"]);
      assert.ok((await answer({ essential: true, values: ["1", userId] }, member))["code"]);
      assert.equal((await answer({ value: "1" }, member))["error"], "login_required");
      assert.equal((await answer({ essential: true, values: ["1", "2"] }, member))["error"], "login_required");
    }
    const { id_token: hint = "" } = await server.tokens();
    assert.ok((await answer({ value: userId }, "id_token", { id_token_hint: hint }))["code"]);
    assert.equal((await answer({ value: "1" }, "id_token", { id_token_hint: hint }))["error"], "invalid_request");

    const url = address(server, asked({ id_token: { sub: { values: ["1", "2"] } } }));
    const first = await browser.send(url);
    const id = new URL(first.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
    const session = await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId }, password: { password: server.user.password } } },
    });
    const { sessionId, sessionToken } = session.body;
    const refused = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
      token: server.loginToken,
      body: { session: { sessionId, sessionToken } },
    });
    assert.equal(refused.status, 403);
  });
});

test("acr: a wish is passed over, a demand is an error of its own, and nothing is claimed that is not so", async (t) => {
  const server = await startOidcServer(t);
  const wishes = [
    { acr_values: "urn:mace:incommon:iap:silver 2" },
    asked({ id_token: { acr: { values: ["2"] } } }),
    asked({ id_token: { acr: { essential: true } } }),
  ];
  for (const parameters of wishes) {
    const { id_token = "" } = await server.tokens({ parameters });
    const claims = decodeJwt(id_token);
    assert.deepEqual([claims["acr"], claims["amr"]], ["urn:service:iam:acr:1", ["pwd"]]);
  }
  for (const acr of [
    { essential: true, value: "2" },
    { essential: true, values: ["2", "3"] },
  ]) {
    const url = server.origin + address(server, asked({ id_token: { acr } }));
    const answer = await readAnswer(await fetch(url, { redirect: "manual" }));
    assert.equal(answer?.parameters["error"], "unmet_authentication_requirements");
    assert.equal(answer?.parameters["state"], "s-1");
  }
});

const malformed: readonly (object | string)[] = [
  ...'x|[]|1|null|"email"|{|{"id_token":{},"id_token":{}}'.split("|"),
  { id_token: [] },
  { id_token: "email" },
  { userinfo: 1 },
  { id_token: { email: "x" } },
  { id_token: { email: [] } },
  { id_token: { email: { essential: "yes" } } },
  { userinfo: { email: { values: "x" } } },
  "[".repeat(500),
  `{"id_token":{"a":${"[".repeat(200)}${"]".repeat(200)}}}`,
  `{"id_token":{"__proto__":null}}`,
  `{"id_token":{"${"a".repeat(9_000)}":null}}`,
];

test("claims that are not a JSON object of the standard's form are invalid_request", async (t) => {
  const server = await startOidcServer(t);
  for (const claims of malformed) {
    const url = server.origin + address(server, asked(claims));
    const answer = await readAnswer(await fetch(url, { redirect: "manual" }));
    assert.equal(answer?.parameters["error"], "invalid_request", JSON.stringify(claims).slice(0, 80));
  }
});

test("parameters that change nothing are accepted: display, claims_locales, acr_values, consent, and unknown ones", async (t) => {
  const server = await startOidcServer(t);
  const all: readonly Record<string, string>[] = [
    { display: "page" },
    { display: "popup" },
    { claims_locales: "se" },
    { acr_values: "1 2" },
    { extra: "foobar" },
    { prompt: "consent" },
    { claims: "{}" },
    { claims: '{"userinfo":null}' },
  ];
  for (const parameters of all) {
    assert.ok((await server.signIn({ parameters })).code, JSON.stringify(parameters));
  }
});

test("an expired id token hint still names its user; one that is not ours is ignored", async (t) => {
  const server = await startOidcServer(t);
  const { id_token: hint = "" } = await server.tokens();
  server.clock.now += 13 * 3_600_000;
  const browser = await signedIn(server, server.user);
  const ask = async (id_token_hint: string) =>
    (await readAnswer(await browser.send(address(server, { prompt: "none", id_token_hint }))))?.parameters ?? {};
  for (const given of [hint, `${hint.slice(0, -4)}AAAA`, "nonsense"]) assert.ok((await ask(given))["code"]);
  const { code } = await ask(hint);
  const form = { grant_type: "authorization_code", code: code ?? "", redirect_uri: server.client.redirectUri };
  const { body } = await server.form("/oauth/v2/token", form, server.client.basic);
  assert.equal(decodeJwt(body.id_token).sub, decodeJwt(hint).sub);
});
