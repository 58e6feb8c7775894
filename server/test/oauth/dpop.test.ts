import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { exchange, RawConnection, rawRequest } from "../support/http/raw-http.ts";
import { signAssertion } from "../support/oidc/assertions.ts";
import { fetchNonce, makeProof, makeProofKey, type ProofKey } from "../support/oidc/dpop.ts";
import { basicOf, type FormAnswer, type OidcServer, startOidcServer, type TestClient } from "../support/oidc/oidc.ts";

const token = "/oauth/v2/token";
const systemAudience = "openid urn:service:iam:org:project:id:service:aud";

async function withProof(server: OidcServer, key: ProofKey, path = token): Promise<{ dpop: string }> {
  return { dpop: await makeProof(server, key, { path, nonce: await fetchNonce(server, key) }) };
}

async function redeem(
  server: OidcServer,
  client: TestClient,
  key: ProofKey | undefined,
  scope = "openid offline_access",
) {
  const { code, codeVerifier } = await server.signIn({ client, scope });
  const proof = client.clientSecret === "" ? {} : client.basic;
  const headers = key === undefined ? proof : { ...proof, ...(await withProof(server, key)) };
  return server.form(
    token,
    {
      grant_type: "authorization_code",
      code,
      redirect_uri: client.redirectUri,
      code_verifier: codeVerifier,
      ...(client.clientSecret === "" && { client_id: client.clientId }),
    },
    headers,
  );
}

async function refresh(
  server: OidcServer,
  client: TestClient,
  refreshToken: string,
  key?: ProofKey,
): Promise<FormAnswer> {
  const isPublic = client.clientSecret === "";
  return server.form(
    token,
    { grant_type: "refresh_token", refresh_token: refreshToken, ...(isPublic && { client_id: client.clientId }) },
    { ...(!isPublic && client.basic), ...(key !== undefined && (await withProof(server, key))) },
  );
}

const publicClient = (server: OidcServer): Promise<TestClient> =>
  server.createClient({
    applicationType: "OIDC_APP_TYPE_USER_AGENT",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  });

eachEngine((_open, engine) => {
  test("DPoP at the endpoints that issue tokens (RFC 9449)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client } = server;
    const key = await makeProofKey();
    const other = await makeProofKey();

    await t.test(
      "a proof without a nonce of ours is sent back with one; every answer to a proof has the next",
      async () => {
        const proof = await makeProof(server, key, { path: token });
        const request = { grant_type: "refresh_token", refresh_token: "x" };
        const refused = await server.form(token, request, { ...client.basic, dpop: proof });
        assert.deepEqual([refused.status, refused.body.error], [400, "use_dpop_nonce"]);
        const nonce = refused.headers.get("dpop-nonce") ?? "";
        assert.match(nonce, /^[\w-]{22}$/);
        const again = await makeProof(server, key, { path: token, nonce });
        const answer = await server.form(token, request, { ...client.basic, dpop: again });
        assert.equal(answer.body.error, "invalid_grant");
        assert.equal(answer.headers.get("dpop-nonce"), nonce);
        assert.equal((await server.form(token, request, client.basic)).headers.get("dpop-nonce"), null);
        for (const wrong of ["x", `${nonce}x`, `${nonce.startsWith("A") ? "B" : "A"}${nonce.slice(1)}`]) {
          const made = await makeProof(server, key, { path: token, nonce: wrong });
          assert.equal(
            (await server.form(token, request, { ...client.basic, dpop: made })).body.error,
            "use_dpop_nonce",
          );
        }
      },
    );

    await t.test(
      "nonces change, live for two and a half to five minutes, and do not need the client's clock",
      async () => {
        const request = { grant_type: "refresh_token", refresh_token: "x" };
        const ask = async (nonce: string, claims = {}) => {
          const dpop = await makeProof(server, key, { path: token, nonce, claims });
          return server.form(token, request, { ...client.basic, dpop });
        };
        const nonce = await fetchNonce(server, key);
        assert.equal((await ask(nonce, { iat: 1_000 })).body.error, "invalid_grant");
        server.clock.now += 150_000;
        const next = await ask(nonce);
        assert.equal(next.body.error, "invalid_grant");
        assert.notEqual(next.headers.get("dpop-nonce"), nonce);
        server.clock.now += 150_000;
        assert.equal((await ask(nonce)).body.error, "use_dpop_nonce");
      },
    );

    await t.test("every grant gives tokens that are bound to the key, opaque and JWT", async () => {
      const machine = {
        organizationId: server.organizationId,
        username: "robot",
        machine: { name: "Robot", accessTokenType: "ACCESS_TOKEN_TYPE_JWT" },
      };
      const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
      const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
      const made = await server.rest("POST", `/v2/users/${id}/keys`, {
        body: { expirationDate: "2100-01-01T00:00:00Z" },
      });
      const file = JSON.parse(Buffer.from(made.body.keyContent, "base64").toString("utf8"));
      const code = await redeem(server, client, key);
      const answers = [
        code,
        await refresh(server, client, code.body.refresh_token, key),
        await server.form(
          token,
          { grant_type: "client_credentials", scope: `openid urn:service:iam:org:project:id:${server.projectId}:aud` },
          { ...basicOf("robot", clientSecret), ...(await withProof(server, key)) },
        ),
        await server.form(
          token,
          {
            grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
            assertion: signAssertion(server, { ...file, subject: id }),
            scope: `openid urn:service:iam:org:project:id:${server.projectId}:aud`,
          },
          await withProof(server, key),
        ),
      ];
      for (const [index, { status, body }] of answers.entries()) {
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body.token_type, "DPoP");
        const introspected = await server.introspect(body.access_token);
        assert.equal(introspected["token_type"], "DPoP");
        assert.deepEqual(introspected["cnf"], { jkt: key.thumbprint });
        if (index > 1) assert.deepEqual(decodeJwt(body.access_token)["cnf"], { jkt: key.thumbprint });
      }
      const plain = await redeem(server, client, undefined);
      assert.equal(plain.body.token_type, "Bearer");
      assert.equal((await server.introspect(plain.body.access_token))["cnf"], undefined);
    });

    await t.test("the refresh token of a public client is bound, that of a confidential one is not", async () => {
      const open = await publicClient(server);
      const bound = await redeem(server, open, key);
      for (const wrong of [undefined, other]) {
        const answer = await refresh(server, open, bound.body.refresh_token, wrong);
        assert.deepEqual([answer.status, answer.body.error], [400, "invalid_grant"]);
      }
      const refreshed = await refresh(server, open, bound.body.refresh_token, key);
      assert.equal(refreshed.body.token_type, "DPoP", "trying with another key neither spent nor revoked it");
      assert.equal((await refresh(server, open, refreshed.body.refresh_token, other)).body.error, "invalid_grant");

      // Who begins without a key and proves one later is bound from then on.
      const late = await redeem(server, open, undefined);
      const first = await refresh(server, open, late.body.refresh_token, key);
      assert.equal(first.body.token_type, "DPoP");
      assert.equal((await refresh(server, open, first.body.refresh_token)).body.error, "invalid_grant");

      const confidential = await redeem(server, client, key);
      const changed = await refresh(server, client, confidential.body.refresh_token, other);
      assert.deepEqual((await server.introspect(changed.body.access_token))["cnf"], { jkt: other.thumbprint });
      assert.equal((await refresh(server, client, changed.body.refresh_token)).body.token_type, "Bearer");
    });

    await t.test("dpop_jkt binds the code, by query, pushed, or by the proof of the push", async () => {
      const request = (code: string, codeVerifier: string) => ({
        grant_type: "authorization_code",
        code,
        redirect_uri: client.redirectUri,
        code_verifier: codeVerifier,
      });
      const { code, codeVerifier } = await server.signIn({ parameters: { dpop_jkt: key.thumbprint } });
      for (const wrong of [{}, await withProof(server, other)]) {
        const answer = await server.form(token, request(code, codeVerifier), { ...client.basic, ...wrong });
        assert.deepEqual([answer.status, answer.body.error], [400, "invalid_grant"]);
      }
      const right = { ...client.basic, ...(await withProof(server, key)) };
      assert.equal((await server.form(token, request(code, codeVerifier), right)).body.token_type, "DPoP");

      const pushed = {
        redirect_uri: client.redirectUri,
        response_type: "code",
        scope: "openid",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      };
      const push = async (more: Record<string, string>, by: ProofKey) =>
        server.form(
          "/oauth/v2/par",
          { ...pushed, ...more },
          { ...client.basic, ...(await withProof(server, by, "/oauth/v2/par")) },
        );
      assert.equal((await push({ dpop_jkt: other.thumbprint }, key)).body.error, "invalid_dpop_proof");
      const { request_uri: requestUri } = (await push({}, key)).body;
      const query = new URLSearchParams({ client_id: client.clientId, request_uri: requestUri });
      const { callback } = await server.answer(new URL(`${server.origin}/oauth/v2/authorize?${query}`));
      const pushedCode = callback.searchParams.get("code") ?? "";
      const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
      assert.equal((await server.form(token, request(pushedCode, verifier), client.basic)).body.error, "invalid_grant");
      const proven = { ...client.basic, ...(await withProof(server, key)) };
      assert.equal((await server.form(token, request(pushedCode, verifier), proven)).body.token_type, "DPoP");

      const malformed = new URLSearchParams({ client_id: client.clientId, ...pushed, dpop_jkt: "x" });
      const refused = await fetch(`${server.origin}/oauth/v2/authorize?${malformed}`, { redirect: "manual" });
      assert.match(refused.headers.get("location") ?? "", /error=invalid_request/);
    });

    await t.test("an application that must prove a key gets no token without", async () => {
      const strict = await server.createClient({ dpopBoundAccessTokens: true });
      const refused = await redeem(server, strict, undefined);
      assert.deepEqual([refused.status, refused.body.error], [400, "invalid_dpop_proof"]);
      const bound = await redeem(server, strict, key);
      assert.equal(bound.body.token_type, "DPoP");
      assert.equal((await refresh(server, strict, bound.body.refresh_token)).body.error, "invalid_dpop_proof");
      assert.equal((await refresh(server, strict, bound.body.refresh_token, other)).status, 200);
      const implicit = await server.createClient({
        dpopBoundAccessTokens: true,
        responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
        grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
      });
      const query = new URLSearchParams({
        client_id: implicit.clientId,
        redirect_uri: implicit.redirectUri,
        scope: "openid",
        nonce: "n",
        response_type: "id_token token",
      });
      const inBrowser = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
      assert.match(inBrowser.headers.get("location") ?? "", /#.*error=unauthorized_client/);
      const { body } = await server.connect("service.application.v2.ApplicationService/GetApplication", {
        applicationId: strict.applicationId,
      });
      assert.equal(body.application.oidcConfiguration.dpopBoundAccessTokens, true);
    });

    await t.test("a lost answer is given once more to the same key only", async () => {
      const patient = await server.createClient({ refreshTokenGrace: "10s" });
      const { body } = await redeem(server, patient, key);
      const first = await refresh(server, patient, body.refresh_token, key);
      assert.equal((await refresh(server, patient, body.refresh_token, other)).body.error, "invalid_grant");
      const again = await refresh(server, patient, body.refresh_token, key);
      assert.equal(again.body.access_token, first.body.access_token);
      assert.equal(again.body.token_type, "DPoP");
    });

    await t.test("a token that is bound works with its proof only: userinfo, REST, Connect", async () => {
      const { body } = await redeem(server, client, key, systemAudience);
      const accessToken: string = body.access_token;
      const path = `/v2/users/${server.user.userId}`;
      const rpc = "/service.user.v2.UserService/GetUserByID";
      const targets = [
        { method: "GET", path: "/oidc/v1/userinfo" },
        { method: "POST", path: "/oidc/v1/userinfo" },
        { method: "GET", path },
        { method: "POST", path: rpc, message: JSON.stringify({ userId: server.user.userId }) },
      ];
      for (const target of targets) {
        const call = (headers: Record<string, string>) =>
          fetch(server.origin + target.path, {
            method: target.method,
            headers: { ...headers, ...(target.message !== undefined && { "content-type": "application/json" }) },
            ...(target.message !== undefined && { body: target.message }),
          });
        const proofFor = (by: ProofKey, more = {}) =>
          makeProof(server, by, { method: target.method, path: target.path, accessToken, ...more });
        const authorization = `DPoP ${accessToken}`;
        const label = `${target.method} ${target.path}`;
        const dpop = await proofFor(key);
        const good = await call({ authorization, dpop });
        assert.equal(good.status, 200, label);
        assert.match(good.headers.get("dpop-nonce") ?? "", /^[\w-]{22}$/, label);
        assert.equal(
          (await call({ authorization: `dpop ${accessToken}`, dpop: await proofFor(key) })).status,
          200,
          label,
        );
        const withNonce = await proofFor(key, { nonce: good.headers.get("dpop-nonce") ?? "" });
        assert.equal((await call({ authorization, dpop: withNonce })).status, 200, label);
        const wrong: Record<string, Record<string, string>> = {
          "as Bearer": { authorization: `Bearer ${accessToken}` },
          "as Bearer with its proof": { authorization: `Bearer ${accessToken}`, dpop: await proofFor(key) },
          "without a proof": { authorization },
          "with a proof that was used": { authorization, dpop },
          "with another key": { authorization, dpop: await proofFor(other) },
          "with the proof of another token": { authorization, dpop: await proofFor(key, { accessToken: "x" }) },
          "without ath": { authorization, dpop: await proofFor(key, { accessToken: undefined }) },
          "for another method": { authorization, dpop: await proofFor(key, { method: "PUT" }) },
          "for another address": { authorization, dpop: await proofFor(key, { path: "/oidc/v1/other" }) },
          "for another host": {
            authorization,
            dpop: await proofFor(key, { path: `https://evil.example${target.path}` }),
          },
          "with a foreign nonce": { authorization, dpop: await proofFor(key, { nonce: "x" }) },
          "that is too old": {
            authorization,
            dpop: await proofFor(key, { claims: { iat: server.clock.now / 1000 - 301 } }),
          },
          "from the future": {
            authorization,
            dpop: await proofFor(key, { claims: { iat: server.clock.now / 1000 + 61 } }),
          },
          "with two proofs": { authorization, dpop: `${await proofFor(key)}, ${await proofFor(key)}` },
        };
        for (const [name, headers] of Object.entries(wrong)) {
          const answer = await call(headers);
          assert.equal(answer.status, 401, `${label} ${name}`);
          assert.match(answer.headers.get("www-authenticate") ?? "", /DPoP .*algs="ES256 /, `${label} ${name}`);
        }
        const plain = await redeem(server, client, undefined, systemAudience);
        const asBound = await call({
          authorization: `DPoP ${plain.body.access_token}`,
          dpop: await proofFor(key, { accessToken: plain.body.access_token }),
        });
        assert.equal(asBound.status, 401, `${label}: a bearer token is not a bound one`);
        const pat = await call({
          authorization: `DPoP ${server.ownerToken}`,
          dpop: await proofFor(key, { accessToken: server.ownerToken }),
        });
        assert.equal(pat.status, 401, `${label}: a personal access token is not a bound one`);
      }
    });

    await t.test("a request whose body takes long spends its proof once, and is as old as when it came", async () => {
      const { body } = await redeem(server, client, key, systemAudience);
      const accessToken: string = body.access_token;
      const path = "/service.user.v2.UserService/GetUserByID";
      const dpop = await makeProof(server, key, { path, accessToken });
      const headers = [
        ["host", new URL(server.origin).host],
        ["content-type", "application/json"],
        ["authorization", `DPoP ${accessToken}`],
        ["dpop", dpop],
      ] as const;
      const message = JSON.stringify({ userId: server.user.userId });
      const whole = rawRequest({ method: "POST", path, headers, body: message });
      const port = Number(new URL(server.origin).port);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());
      connection.send(whole.subarray(0, -5));
      await new Promise((resolve) => setTimeout(resolve, 200));
      server.clock.now += 5 * 60_000;
      connection.send(whole.subarray(-5));
      assert.equal((await connection.answer())?.status, 200);
      server.clock.now -= 5 * 60_000;
      assert.equal((await exchange(port, whole))?.status, 401, "used before");
    });

    await t.test("of 30 parallel uses of one proof one succeeds", async () => {
      const { body } = await redeem(server, client, key);
      const path = "/oidc/v1/userinfo";
      const dpop = await makeProof(server, key, { method: "GET", path, accessToken: body.access_token });
      const headers = { authorization: `DPoP ${body.access_token}`, dpop };
      const answers = await Promise.all(Array.from({ length: 30 }, () => fetch(server.origin + path, { headers })));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    });

    await t.test("used proofs are forgotten once they can no longer be replayed", async () => {
      const { database } = server.app.domain;
      const count = async () =>
        Number(
          (await database.read.maybe<{ rows: number }>(sql`select count(*) as "rows" from used_assertions`))?.rows,
        );
      assert.ok((await count()) > 10);
      server.clock.now += 3_700_000;
      await server.app.jobs.tick();
      assert.equal(await count(), 0);
    });

    await t.test("discovery names the algorithms of proofs, and every one of them works", async () => {
      const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
      const algorithms: string[] = body.dpop_signing_alg_values_supported;
      assert.ok(algorithms.includes("ES256") && !algorithms.some((name) => /^(HS|none)/.test(name)));
      for (const algorithm of algorithms) {
        const made = await makeProofKey(algorithm);
        const nonce = await fetchNonce(server, key);
        const dpop = await makeProof(server, made, { path: token, nonce }, algorithm);
        const request = { grant_type: "refresh_token", refresh_token: "x" };
        const answer = await server.form(token, request, { ...client.basic, dpop });
        assert.equal(answer.body.error, "invalid_grant", algorithm);
      }
    });
  });
});
