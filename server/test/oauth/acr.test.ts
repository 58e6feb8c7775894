import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { addApp } from "../factor/support.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { fetch } from "../support/http/fetch.ts";
import { readAnswer } from "../support/oidc/authorization-answer.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../support/oidc/oidc.ts";
import { registered, setRegistration } from "../support/oidc/registration.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { startExchangeServer, typeOf } from "./token-exchange/support.ts";

const one = "urn:service:iam:acr:1";
const two = "urn:service:iam:acr:2";
const insist = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

/** Makes sessions of the test's user at a login of another's: with a password, or with a code as well. */
async function sessionsOf(server: OidcServer, user: { readonly userId: string; readonly password: string }) {
  const secret = await addApp(server, user, (made) => appCode(made, server.clock.now));
  const open = async (checks: object) => {
    const body = { checks: { user: { userId: user.userId }, ...checks } };
    const { status, body: made } = await server.rest("POST", "/v2/sessions", { body });
    assert.equal(status, 201, JSON.stringify(made));
    return { sessionId: made.sessionId as string, sessionToken: made.sessionToken as string };
  };
  const password = { password: { password: user.password } };
  return {
    half: () => open(password),
    whole: () => {
      server.clock.now += 60_000;
      return open({ ...password, totp: { code: appCode(secret, server.clock.now) } });
    },
  };
}

const authorizeUrl = ({ origin }: OidcServer, { clientId, redirectUri }: TestClient, more: Record<string, string>) =>
  new URL(
    `${origin}/oauth/v2/authorize?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid",
      ...more,
    })}`,
  );

async function errorAt(url: URL): Promise<string | undefined> {
  return (await readAnswer(await fetch(url, { redirect: "manual" })))?.parameters["error"];
}

enginesInTurn((engine, test) => {
  test("id token, access token, refresh and introspection say one acr and auth_time, and a refresh never another", async (t) => {
    const server = await startOidcServer(t, { engine });
    const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
    const sessions = await sessionsOf(server, server.user);
    const session = await sessions.whole();
    const first = await server.tokens({ client, session, scope: "openid offline_access" });
    const authTime = Math.floor(server.clock.now / 1000);
    server.clock.now += 600_000;
    const form = { grant_type: "refresh_token", refresh_token: first["refresh_token"] ?? "", acr_values: "phr" };
    const { body: next } = await server.form("/oauth/v2/token", { ...form, ...insist("phr") }, client.basic);
    for (const tokens of [first, next]) {
      for (const said of [
        decodeJwt(tokens["id_token"] ?? ""),
        decodeJwt(tokens["access_token"] ?? ""),
        await server.introspect(tokens["access_token"] ?? "", client),
      ]) {
        assert.deepEqual([said["acr"], said["auth_time"]], [two, authTime]);
      }
      const { body } = await server.rest("GET", "/oidc/v1/userinfo", { token: tokens["access_token"] ?? "" });
      assert.equal(body.acr, undefined);
    }
    const { body: plain } = await server.form("/oauth/v2/token", {
      grant_type: "client_credentials",
      scope: "openid",
      ...(await serviceAccount(server)),
    });
    assert.equal((await server.introspect(plain.access_token))["acr"], undefined);
  });

  test("a custom login can answer a requirement only with a session that meets it, and learns about it", async (t) => {
    const server = await startOidcServer(t, { engine });
    const sessions = await sessionsOf(server, server.user);
    const idOf = async (parameters: Record<string, string>) => {
      const { headers } = await fetch(authorizeUrl(server, server.client, parameters), { redirect: "manual" });
      return new URL(headers.get("location") ?? "", server.origin).searchParams.get("authRequest") ?? "";
    };
    const path = (id: string) => `/v2/oidc/auth_requests/${id}`;
    const token = server.loginToken;
    const id = await idOf({ ...insist("phr", "unknown"), acr_values: two });
    const { authRequest } = (await server.rest("GET", path(id), { token })).body;
    assert.deepEqual([authRequest.acrValues ?? [], authRequest.essentialAcrValues], [[], ["phr"]]);
    const whole = await sessions.whole();
    const refused = await server.rest("POST", path(id), { token, body: { session: whole } });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.details[0].id, "auth_request.session_insufficient");
    const error = { error: "ERROR_REASON_UNMET_AUTHENTICATION_REQUIREMENTS" };
    const told = await server.rest("POST", path(id), { token, body: { error } });
    assert.equal(new URL(told.body.callbackUrl).searchParams.get("error"), "unmet_authentication_requirements");

    for (const [parameters, said] of [
      [insist(two), two],
      [insist(one), one],
      [{ acr_values: `phr ${two}` }, two],
      [{ acr_values: "phr" }, two],
      [{}, two],
    ] as const) {
      const tokens = await server.tokens({ parameters, session: await sessions.whole() });
      assert.equal(decodeJwt(tokens["id_token"] ?? "")["acr"], said, JSON.stringify(parameters));
    }
    const wished = await idOf({ acr_values: `phr ${two}` });
    const read = (await server.rest("GET", path(wished), { token })).body.authRequest;
    assert.deepEqual([read.acrValues, read.essentialAcrValues ?? []], [["phr", two], []]);
  });

  test("a demand and a wish count pushed as well, and nothing beside the request changes them", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client } = server;
    const sessions = await sessionsOf(server, server.user);
    const pushed = { response_type: "code", redirect_uri: client.redirectUri, scope: "openid", ...insist("phr") };
    const { body } = await server.form("/oauth/v2/par", pushed, client.basic);
    const url = authorizeUrl(server, client, { request_uri: body.request_uri, ...insist(one), acr_values: one });
    const { headers } = await fetch(url, { redirect: "manual" });
    const id = new URL(headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
    const answer = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
      token: server.loginToken,
      body: { session: await sessions.whole() },
    });
    assert.equal(answer.status, 403);
    assert.equal(await errorAt(authorizeUrl(server, client, insist("3", "PHR"))), "unmet_authentication_requirements");
    assert.equal(await errorAt(authorizeUrl(server, client, insist())), "unmet_authentication_requirements");
    assert.equal(await errorAt(authorizeUrl(server, client, { ...insist("phr"), prompt: "none" })), "login_required");
  });

  test("the default of a registered client is what it wishes for, until a request names something", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const metadata = { redirect_uris: ["https://app.example/callback"], default_acr_values: ["gold", two, "phr"] };
    const made = await registered(server, metadata);
    assert.deepEqual(made["default_acr_values"], metadata.default_acr_values);
    const wishesOf = async (parameters: Record<string, string>) => {
      const url = authorizeUrl(server, { ...server.client, clientId: made["client_id"] as string }, parameters);
      const { headers } = await fetch(url, { redirect: "manual" });
      const id = new URL(headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
      const token = server.loginToken;
      const { authRequest } = (await server.rest("GET", `/v2/oidc/auth_requests/${id}`, { token })).body;
      return [authRequest.acrValues ?? [], authRequest.essentialAcrValues ?? []];
    };
    assert.deepEqual(await wishesOf({}), [[two, "phr"], []]);
    assert.deepEqual(await wishesOf({ acr_values: "phr" }), [["phr"], []]);
    assert.deepEqual(await wishesOf(insist(one)), [[], [one]]);
    for (const value of [["a b"], [""], "phr", [1], Array.from({ length: 21 }, (_, index) => `v${index}`)]) {
      const { status } = await server.rest("POST", "/oauth/v2/register", {
        body: { ...metadata, default_acr_values: value },
      });
      assert.equal(status, 400, JSON.stringify(value));
    }
  });
});

test("an exchanged token says no more than its subject and its actor, each, and nothing where one says nothing", async (t) => {
  const server = await startExchangeServer(t);
  const ofUser = await sessionsOf(server, server.user);
  const ofAgent = await sessionsOf(server, server.agent);
  const tokenOf = async (session: { sessionId: string; sessionToken: string }) =>
    (await server.tokens({ session, scope: "openid urn:service:iam:org:project:id:service:aud" }))["access_token"] ??
    "";
  await server.trust();
  const strong = { user: await tokenOf(await ofUser.whole()), agent: await tokenOf(await ofAgent.whole()) };
  const exchanged = async (parameters: Record<string, string>) => {
    const { status, body } = await server.exchange({ scope: "openid", ...parameters });
    assert.equal(status, 200, JSON.stringify(body));
    const { acr } = decodeJwt(body.id_token);
    return acr;
  };
  const subject = { subject_token: strong.user, subject_token_type: typeOf.access_token };
  const actor = { actor_token: strong.agent, actor_token_type: typeOf.access_token };
  assert.equal(await exchanged({ ...subject, acr_values: "phr" }), two);
  assert.equal(await exchanged({ ...subject, ...actor }), two);
  const named = { subject_token: server.user.userId, subject_token_type: typeOf.user_id };
  assert.equal(await exchanged({ ...named, ...actor }), undefined);
  const weak = await server.person("weak");
  const weakToken = (await server.tokens({ user: weak, scope: "openid" }))["access_token"] ?? "";
  const asWeak = { subject_token: weakToken, subject_token_type: typeOf.access_token };
  assert.equal(await exchanged({ ...asWeak, ...actor }), one, "an actor with two factors raises nobody");
});

async function serviceAccount(server: OidcServer) {
  const { body } = await server.rest("POST", "/management/v1/users/machine", {
    body: { userName: "robot", name: "Robot" },
  });
  const secret = await server.rest("PUT", `/management/v1/users/${body.userId}/secret`, { body: {} });
  return { client_id: secret.body.clientId as string, client_secret: secret.body.clientSecret as string };
}
