import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeProtectedHeader } from "jose";
import { sql } from "../../../src/database/index.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { createKeyedClient } from "../../support/oidc/application-key.ts";
import { fetchNonce, makeProof, makeProofKey } from "../../support/oidc/dpop.ts";
import { asFapiClient, createFapiClient, type FapiClient } from "../../support/oidc/fapi-client.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";

const par = "/oauth/v2/par";
const token = "/oauth/v2/token";

/** Signs in through a pushed request and redeems the code. */
async function signIn(server: OidcServer, fapi: FapiClient) {
  const { parameters, codeVerifier } = fapi.request();
  const { callback } = await server.answer(await fapi.push(parameters));
  const answer = await fapi.redeem(callback.searchParams.get("code") ?? "", codeVerifier);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { callback, body: answer.body };
}

async function proofsKept(server: OidcServer): Promise<number> {
  const row = await server.app.domain.database.read.maybe<{ rows: number }>(
    sql`select count(*) as "rows" from used_assertions where kind = 'dpop_proof'`,
  );
  return Number(row?.rows);
}

enginesInTurn((engine, test, both) => {
  test("a client with the FAPI 2.0 profile", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);

    await t.test("signs in: pushed request, PKCE, private_key_jwt, DPoP, iss in the answer", async () => {
      const { callback, body } = await signIn(server, fapi);
      assert.equal(callback.searchParams.get("iss"), server.origin);
      assert.equal(body.token_type, "DPoP");
      assert.equal(decodeProtectedHeader(body.id_token).alg, "ES256");
    });

    await t.test("keeps its refresh token, however often it is used (C3)", async () => {
      const { body } = await signIn(server, fapi);
      for (let round = 0; round < 3; round++) {
        const parameters = { grant_type: "refresh_token", refresh_token: body.refresh_token };
        const again = await fapi.send(token, { ...parameters, ...(await fapi.assertion()) });
        assert.equal(again.status, 200, JSON.stringify(again.body));
        assert.equal(again.body.refresh_token, body.refresh_token);
        assert.notEqual(again.body.access_token, body.access_token);
      }
      const thief = await createFapiClient(server);
      const stolen = { grant_type: "refresh_token", refresh_token: body.refresh_token };
      const refused = await thief.send(token, { ...stolen, ...(await thief.assertion()) });
      assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
      await server.form("/oauth/v2/revoke", { token: body.refresh_token, ...(await fapi.assertion()) });
      const late = await fapi.send(token, { ...stolen, ...(await fapi.assertion()) });
      assert.equal(late.body.error, "invalid_grant", "revoked");
    });

    await t.test("a kept refresh token expires when it is idle, and with its family (C3)", async () => {
      const { body } = await signIn(server, fapi);
      const refresh = async () => {
        const parameters = { grant_type: "refresh_token", refresh_token: body.refresh_token };
        return (await fapi.send(token, { ...parameters, ...(await fapi.assertion()) })).status;
      };
      const day = 86_400_000;
      const begun = server.clock.now;
      for (const after of [20, 40, 60, 80]) {
        server.clock.now = begun + after * day;
        assert.equal(await refresh(), 200, `after ${after} days`);
      }
      server.clock.now = begun + 91 * day;
      assert.equal(await refresh(), 400);
      const idle = await signIn(server, fapi);
      server.clock.now += 31 * day;
      const parameters = { grant_type: "refresh_token", refresh_token: idle.body.refresh_token };
      const answer = await fapi.send(token, { ...parameters, ...(await fapi.assertion()) });
      assert.equal(answer.body.error, "invalid_grant");
    });

    await t.test("may send nothing less", async () => {
      const { parameters } = fapi.request();
      const plain = await fetch(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(parameters)}`, {
        redirect: "manual",
      });
      const location = new URL(plain.headers.get("location") ?? "");
      assert.equal(location.searchParams.get("error"), "invalid_request", "not pushed");
      const { code_challenge: _challenge, code_challenge_method: _method, ...unproven } = parameters;
      const noPkce = await fapi.send(par, { ...unproven, ...(await fapi.assertion()) });
      assert.deepEqual([noPkce.status, noPkce.body.error], [400, "invalid_request"], "C5");
      const implicit = await fapi.send(par, {
        ...parameters,
        response_type: "id_token",
        ...(await fapi.assertion()),
      });
      assert.equal(implicit.body.error, "unauthorized_client");
      for (const [name, proof] of [
        ["RS256", await fapi.assertion({}, "RS256")],
        ["no jti", await fapi.assertion({ jti: undefined })],
        ["the token endpoint as audience", await fapi.assertion({ aud: server.origin + token })],
        ["two audiences", await fapi.assertion({ aud: [server.origin, server.origin + token] })],
      ] as const) {
        const answer = await fapi.send(par, { ...parameters, ...proof });
        assert.deepEqual([answer.status, answer.body.error], [401, "invalid_client"], name);
      }
      const good = await fapi.send(par, { ...parameters, ...(await fapi.assertion()) });
      assert.equal(good.status, 201, JSON.stringify(good.body));
      const { callback } = await server.answer(await fapi.push(parameters));
      const bearer = await server.form(token, {
        grant_type: "authorization_code",
        code: callback.searchParams.get("code") ?? "",
        redirect_uri: parameters["redirect_uri"] ?? "",
        ...(await fapi.assertion()),
      });
      assert.equal(bearer.body.error, "invalid_dpop_proof");
    });

    await t.test("proofs too are of the algorithms that the profile knows", async () => {
      const key = await makeProofKey("RS256");
      const dpop = await makeProof(server, key, { path: par, nonce: await fetchNonce(server, fapi.key) }, "RS256");
      const form = async () => ({ ...fapi.request().parameters, ...(await fapi.assertion()) });
      const refused = await server.form(par, await form(), { dpop });
      assert.deepEqual([refused.status, refused.body.error], [400, "invalid_dpop_proof"]);
      const other = await createKeyedClient(server);
      const taken = await asFapiClient(server, other);
      const free = { ...taken.request().parameters, ...(await taken.assertion()) };
      assert.equal((await server.form(par, free, { dpop })).status, 201, "it was not spent, and others may");
    });

    await t.test("a missing verifier is invalid_grant, and the code lives a minute (C4)", async () => {
      const { parameters, codeVerifier } = fapi.request();
      const answered = await server.answer(await fapi.push(parameters));
      const code = answered.callback.searchParams.get("code") ?? "";
      const missing = await fapi.send(token, {
        grant_type: "authorization_code",
        code,
        redirect_uri: fapi.client.redirectUri,
        ...(await fapi.assertion()),
      });
      assert.deepEqual([missing.status, missing.body.error], [400, "invalid_grant"]);
      assert.equal((await fapi.redeem(code, codeVerifier)).status, 200, "the code is still good");
      const late = await server.answer(await fapi.push(parameters));
      server.clock.now += 61_000;
      const expired = await fapi.redeem(late.callback.searchParams.get("code") ?? "", codeVerifier);
      assert.equal(expired.body.error, "invalid_grant");
    });
  });

  both("DPoP at PAR: the nonce is asked for first, and only proven clients leave proofs (C1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);
    const proof = await fapi.assertion();
    const form = { ...fapi.request().parameters, ...proof };
    const asked = await fapi.send(par, form, { nonce: null });
    assert.deepEqual([asked.status, asked.body.error], [400, "use_dpop_nonce"]);
    const nonce = asked.headers.get("dpop-nonce") ?? "";
    const again = await fapi.send(par, form, { nonce });
    assert.equal(again.status, 201, `the same assertion, now with the nonce: ${JSON.stringify(again.body)}`);
    assert.equal((await fapi.send(par, form, { nonce })).body.error, "invalid_client", "it was spent now");

    const before = await proofsKept(server);
    for (const path of [par, token]) {
      const strangers = [
        { client_id: "unknown" },
        { ...(await fapi.assertion({ aud: "https://other.example" })) },
        { client_id: server.client.clientId, client_secret: "wrong" },
      ];
      for (const stranger of strangers) {
        const answer = await fapi.send(path, { grant_type: "refresh_token", refresh_token: "x", ...stranger });
        assert.deepEqual([answer.status, answer.body.error], [401, "invalid_client"]);
      }
    }
    for (const grant of ["client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer"]) {
      await fapi.send(token, { grant_type: grant, scope: "openid", assertion: "a.b.c" });
    }
    const forged = {
      authorization: "DPoP x",
      dpop: await makeProof(server, fapi.key, { method: "GET", path: "/oidc/v1/userinfo", accessToken: "x" }),
    };
    assert.equal((await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: forged })).status, 401);
    assert.equal(await proofsKept(server), before, "nothing is kept for strangers");

    const dpop = await makeProof(server, fapi.key, { path: par, nonce: await fetchNonce(server, fapi.key) });
    const send = async () => server.form(par, { ...fapi.request().parameters, ...(await fapi.assertion()) }, { dpop });
    assert.equal((await send()).status, 201);
    assert.equal((await send()).body.error, "invalid_dpop_proof", "a proof works once");
    const racing = await makeProof(server, fapi.key, { path: par, nonce: await fetchNonce(server, fapi.key) });
    const forms = await Promise.all(
      Array.from({ length: 8 }, async () => ({ ...fapi.request().parameters, ...(await fapi.assertion()) })),
    );
    const raced = await Promise.all(forms.map((each) => server.form(par, each, { dpop: racing })));
    assert.equal(raced.filter(({ status }) => status === 201).length, 1);
  });
});

test("the profile refuses what it does not know, names the field, and cannot be undone bit by bit", async (t) => {
  const server = await startOidcServer(t);
  const update = (applicationId: string, oidcConfiguration: object) =>
    server.connect("service.application.v2.ApplicationService/UpdateApplication", {
      projectId: server.projectId,
      applicationId,
      oidcConfiguration,
    });
  const { client } = await createFapiClient(server);
  const wrong: readonly [change: object, field: string][] = [
    [{ authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" }, "authMethodType"],
    [{ authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" }, "authMethodType"],
    [{ redirectUris: ["http://localhost/callback"] }, "redirectUris"],
    [{ redirectUris: ["https://app.example/callback", "com.example:/callback"] }, "redirectUris"],
    [{ developmentMode: true }, "developmentMode"],
    [{ idTokenSignedResponseAlg: "RS512" }, "idTokenSignedResponseAlg"],
    [{ userinfoSignedResponseAlg: "RS256" }, "userinfoSignedResponseAlg"],
    [{ grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"] }, "grantTypes"],
  ];
  for (const [change, field] of wrong) {
    const { status, body } = await update(client.applicationId, change);
    assert.equal(status, 400, field);
    assert.match(JSON.stringify(body), new RegExp(field), JSON.stringify(body));
  }
  const loosened = await update(client.applicationId, {
    requirePushedAuthorizationRequests: false,
    pkceRequired: false,
    dpopBoundAccessTokens: false,
    assertionAudience: "OIDC_ASSERTION_AUDIENCE_ISSUER_OR_ENDPOINTS",
    refreshTokenRotationDisabled: false,
    idTokenSignedResponseAlg: "PS256",
  });
  assert.equal(loosened.status, 200, JSON.stringify(loosened.body));
  const path = "service.application.v2.ApplicationService/GetApplication";
  const { oidcConfiguration } = (await server.connect(path, { applicationId: client.applicationId })).body.application;
  assert.deepEqual(
    [
      oidcConfiguration.requirePushedAuthorizationRequests,
      oidcConfiguration.pkceRequired,
      oidcConfiguration.dpopBoundAccessTokens,
      oidcConfiguration.assertionAudience,
      oidcConfiguration.refreshTokenRotationDisabled,
      oidcConfiguration.idTokenSignedResponseAlg,
      oidcConfiguration.securityProfile,
    ],
    [true, true, true, "OIDC_ASSERTION_AUDIENCE_ISSUER", true, "PS256", "OIDC_CLIENT_PROFILE_FAPI2"],
  );
});

test("the profile sets all of its values at once, including of an application that had others", async (t) => {
  const server = await startOidcServer(t);
  const service = "service.application.v2.ApplicationService";
  const authMethodType = "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT";
  const { applicationId } = await server.createClient({ authMethodType, refreshTokenGrace: "5s" });
  const read = async () => {
    const { body } = await server.connect(`${service}/GetApplication`, { applicationId });
    const { oidcConfiguration: made } = body.application;
    return [
      made.requirePushedAuthorizationRequests,
      made.pkceRequired,
      made.dpopBoundAccessTokens,
      made.refreshTokenRotationDisabled,
      made.assertionAudience,
      made.idTokenSignedResponseAlg,
      made.refreshTokenGrace,
    ];
  };
  const before = await read();
  const change = { projectId: server.projectId, applicationId };
  const profile = { securityProfile: "OIDC_CLIENT_PROFILE_FAPI2" };
  const updated = await server.connect(`${service}/UpdateApplication`, { ...change, oidcConfiguration: profile });
  assert.equal(updated.status, 200, JSON.stringify(updated.body));
  const after = await read();
  assert.deepEqual(after.slice(0, 6), [true, true, true, true, "OIDC_ASSERTION_AUDIENCE_ISSUER", "ES256"]);
  for (const [index, value] of after.entries())
    assert.notEqual(value, before[index], `value ${index} was that already`);
});

test("a client without rotation needs a key of its own (C3)", async (t) => {
  const server = await startOidcServer(t);
  const create = (configuration: object) =>
    server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId: server.projectId,
      name: `rotation ${JSON.stringify(configuration)}`.slice(0, 200),
      oidcConfiguration: {
        redirectUris: ["https://app.example/callback"],
        refreshTokenRotationDisabled: true,
        ...configuration,
      },
    });
  const secret = await create({ authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" });
  assert.equal(secret.status, 400);
  assert.match(JSON.stringify(secret.body), /refreshTokenRotationDisabled/);
  assert.equal((await create({ dpopBoundAccessTokens: true })).status, 200);
  assert.equal((await create({ authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" })).status, 200);
});

test("PKCE can be required of a client with a secret (C5)", async (t) => {
  const server = await startOidcServer(t);
  const strict = await server.createClient({ pkceRequired: true });
  const query = { redirect_uri: strict.redirectUri, response_type: "code", scope: "openid", prompt: "none" };
  const ask = async (clientId: string): Promise<string | null> => {
    const address = `${server.origin}/oauth/v2/authorize?${new URLSearchParams({ ...query, client_id: clientId })}`;
    const response = await fetch(address, { redirect: "manual" });
    return new URL(response.headers.get("location") ?? "").searchParams.get("error");
  };
  assert.equal(await ask(strict.clientId), "invalid_request");
  assert.equal(await ask(server.client.clientId), "login_required", "others are as they were");
  const tokens = await server.tokens({ client: strict });
  assert.ok(tokens["access_token"]);
  // The demand came after the request: its code is not redeemed without a verifier.
  const late = await server.createClient();
  const address = new URL(`${server.origin}/oauth/v2/authorize`);
  const parameters = { ...query, prompt: "", client_id: late.clientId };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const { callback } = await server.answer(address);
  await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
    projectId: server.projectId,
    applicationId: late.applicationId,
    oidcConfiguration: { pkceRequired: true },
  });
  const code = callback.searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: late.redirectUri };
  assert.equal((await server.form(token, form, late.basic)).body.error, "invalid_grant");
});

test("PS256 signs id tokens and userinfo, with a key of its own (C13)", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({
    idTokenSignedResponseAlg: "PS256",
    userinfoSignedResponseAlg: "PS256",
  });
  const tokens = await server.tokens({ client });
  const { alg, kid } = decodeProtectedHeader(tokens["id_token"] ?? "");
  assert.equal(alg, "PS256");
  const { createRemoteJWKSet, jwtVerify } = await import("jose");
  const keySet = createRemoteJWKSet(new URL(`${server.origin}/oauth/v2/keys`));
  const { payload } = await jwtVerify(tokens["id_token"] ?? "", keySet, { issuer: server.origin });
  assert.equal(payload.sub, server.user.userId);
  const userinfo = await fetch(`${server.origin}/oidc/v1/userinfo`, {
    headers: { authorization: `Bearer ${tokens["access_token"]}` },
  });
  assert.equal(decodeProtectedHeader(await userinfo.text()).kid, kid);
  const { body } = await server.connect("service.webkey.v2.WebKeyService/ListWebKeys", {});
  const listed = body.webKeys.find(({ id }: { id: string }) => id === kid);
  assert.deepEqual(listed.rsa, { bits: "RSA_BITS_2048", hasher: "RSA_HASHER_SHA256", pss: true });
  const hint = await fetch(
    `${server.origin}/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: tokens["id_token"] ?? "" })}`,
    { redirect: "manual" },
  );
  assert.ok(hint.status < 400, "it is known again");
});
