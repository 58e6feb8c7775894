import assert from "node:assert/strict";
import { KeyObject } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { fetchNonce, makeProof, makeProofKey, type ProofKey, type ProofOptions } from "../../support/oidc/dpop.ts";
import { createFapiClient, type FapiClient } from "../../support/oidc/fapi-client.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";

/*
 * The modules about DPoP of the OpenID Foundation's plan `fapi2-security-profile-final-test-plan`, under the names that
 * they have there. `fapi-plan.test.ts` has the others.
 */
const par = "/oauth/v2/par";
const token = "/oauth/v2/token";
const userinfo = "/oidc/v1/userinfo";

type Texts = Readonly<Record<string, string>>;
type Extra = Pick<ProofOptions, "claims" | "header">;

/** Sends a form of the client with a proof of any key. */
async function sendWith(server: OidcServer, fapi: FapiClient, path: string, form: Texts, key: ProofKey, extra?: Extra) {
  const dpop = await makeProof(server, key, { path, nonce: await fetchNonce(server, key), ...extra });
  return server.form(path, { ...form, ...(await fapi.assertion()) }, { dpop });
}

/** Pushes without a proof, with the given parameters, and signs in. */
async function codeBy(server: OidcServer, fapi: FapiClient, change: Texts, pushedWith?: ProofKey) {
  const { parameters, codeVerifier } = fapi.request();
  const form = { ...parameters, ...change };
  const pushed =
    pushedWith === undefined
      ? await server.form(par, { ...form, ...(await fapi.assertion()) })
      : await sendWith(server, fapi, par, form, pushedWith);
  assert.equal(pushed.status, 201, JSON.stringify(pushed.body));
  const url = new URL(`${server.origin}/oauth/v2/authorize`);
  url.search = `${new URLSearchParams({ client_id: fapi.client.clientId, request_uri: pushed.body.request_uri })}`;
  const { callback } = await server.answer(url);
  return {
    grant_type: "authorization_code",
    code: callback.searchParams.get("code") ?? "",
    redirect_uri: fapi.client.redirectUri,
    code_verifier: codeVerifier,
  };
}

const ask = async (
  server: OidcServer,
  accessToken: string,
  dpop: string | undefined,
  { scheme = "DPoP", path = userinfo } = {},
) => {
  const headers = { authorization: `${scheme} ${accessToken}`, ...(dpop !== undefined && { dpop }) };
  return (await fetch(server.origin + path, { headers })).status;
};

enginesInTurn((engine, test) => {
  test("FAPI 2.0 plan: codes and keys", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);
    const other = await makeProofKey();

    await t.test("ensure-mismatched-dpop-jkt-fails", async () => {
      const form = { ...fapi.request().parameters, dpop_jkt: other.thumbprint };
      const { status, body } = await sendWith(server, fapi, par, form, fapi.key);
      assert.deepEqual([status, body.error], [400, "invalid_dpop_proof"]);
    });

    await t.test(
      "ensure-dpop-auth-code-binding-success, ensure-token-endpoint-fails-with-mismatched-dpop-jkt",
      async () => {
        const form = await codeBy(server, fapi, { dpop_jkt: fapi.key.thumbprint });
        const wrong = await sendWith(server, fapi, token, form, other);
        assert.deepEqual([wrong.status, wrong.body.error], [400, "invalid_grant"]);
        assert.equal((await sendWith(server, fapi, token, form, fapi.key)).status, 200);
      },
    );

    await t.test(
      "ensure-dpopproof-at-par-endpoint-binding-success, ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt",
      async () => {
        const form = await codeBy(server, fapi, {}, fapi.key);
        const wrong = await sendWith(server, fapi, token, form, other);
        assert.deepEqual([wrong.status, wrong.body.error], [400, "invalid_grant"]);
        assert.equal((await sendWith(server, fapi, token, form, fapi.key)).status, 200);
      },
    );

    await t.test(
      "check-dpop-proof-nbf-exp, ensure-dpopproof-with-iat-10seconds-before-succeeds, -after-succeeds",
      async () => {
        const now = Math.floor(server.clock.now / 1000);
        for (const claims of [{ nbf: now, exp: now + 300 }, { iat: now - 10 }, { iat: now + 10 }]) {
          const form = await codeBy(server, fapi, {});
          const { status, body } = await sendWith(server, fapi, token, form, fapi.key, { claims });
          assert.equal(status, 200, JSON.stringify(body));
          const { access_token: accessToken } = body;
          const dpop = await makeProof(server, fapi.key, { method: "GET", path: userinfo, accessToken, claims });
          assert.equal(await ask(server, accessToken, dpop), 200, JSON.stringify(claims));
        }
      },
    );
  });

  test("FAPI 2.0 plan: access-token-type-header-case-sensitivity, dpop-negative-tests", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);
    const { body } = await sendWith(server, fapi, token, await codeBy(server, fapi, {}), fapi.key);
    const { access_token: accessToken } = body;
    const now = Math.floor(server.clock.now / 1000);
    const proof = (extra: Partial<ProofOptions> = {}, key = fapi.key) =>
      makeProof(server, key, { method: "GET", path: userinfo, accessToken, ...extra });
    const { kty, crv, x, y } = fapi.key.jwk;
    const whole = await exportJWK(fapi.key.privateKey);
    const upper = server.origin.toUpperCase();

    for (const scheme of ["DPoP", "dpop", "DPOP"])
      assert.equal(await ask(server, accessToken, await proof(), { scheme }), 200);
    for (const [name, good] of [
      ["a query and a fragment in htu", { path: `${server.origin}${userinfo}?a=b#c` }],
      ["host and scheme in upper case", { path: `${upper}${userinfo}` }],
      ["more claims and members", { claims: { foo: 1 }, header: { bar: "x" } }],
    ] as const) {
      assert.equal(await ask(server, accessToken, await proof(good)), 200, name);
    }

    const signed = await proof();
    const [, payload = "", signature = ""] = signed.split(".");
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const jwk = { kty, crv, x, y };
    const once = await proof({ claims: { jti: "j-1" } });
    assert.equal(await ask(server, accessToken, once), 200);
    const refused: Readonly<Record<string, string | undefined>> = {
      "no proof": undefined,
      "two proofs": `${await proof()}, ${await proof()}`,
      "not a JWT": signed.replace(".", ""),
      "no typ": await proof({ header: { typ: undefined } }),
      "another typ": await proof({ header: { typ: "jwt" } }),
      "no alg": `${encode({ typ: "dpop+jwt", jwk })}.${payload}.${signature}`,
      "alg none": `${encode({ typ: "dpop+jwt", alg: "none", jwk })}.${payload}.`,
      "no jwk": await proof({ header: { jwk: undefined } }),
      "a private key": await proof({ header: { jwk: whole } }),
      "a bad signature": `${signed.slice(0, -10)}AAAAAAAAAA`,
      "no jti": await proof({ claims: { jti: undefined } }),
      "no htm": await proof({ claims: { htm: undefined } }),
      "no htu": await proof({ claims: { htu: undefined } }),
      "no iat": await proof({ claims: { iat: undefined } }),
      "no ath": await proof({ claims: { ath: undefined } }),
      "another ath": await proof({ accessToken: "another" }),
      "another method": await proof({ method: "PUT" }),
      "another address": await proof({ path: "/oidc/v1/other" }),
      "an hour ahead": await proof({ claims: { iat: now + 3600 } }),
      "an hour old": await proof({ claims: { iat: now - 3600 } }),
      "the same jti again": once,
      "another key": await proof({}, await makeProofKey()),
    };
    for (const [name, dpop] of Object.entries(refused)) assert.equal(await ask(server, accessToken, dpop), 401, name);
    assert.equal(await ask(server, accessToken, undefined, { scheme: "Bearer" }), 401, "as a bearer token");
    assert.equal(
      await ask(server, accessToken, await proof(), { scheme: "Bearer" }),
      401,
      "as a bearer token, with a proof",
    );
    assert.equal(await ask(server, accessToken, await proof()), 200, "the token is still good");
  });

  test("FAPI 2.0 plan: dpop-negative-tests, proofs by RS256 (§5.4.1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const fapi = await createFapiClient(server);
    const key = await makeProofKey("PS256");
    const sign = async (algorithm: string, path: string, accessToken?: string) => {
      const method = accessToken === undefined ? "POST" : "GET";
      const nonce = accessToken === undefined ? await fetchNonce(server, fapi.key) : undefined;
      const text = await makeProof(
        server,
        key,
        { method, path, ...(accessToken && { accessToken }), ...(nonce && { nonce }) },
        "PS256",
      );
      if (algorithm === "PS256") return text;
      const claims = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString("utf8"));
      const header = { alg: algorithm, typ: "dpop+jwt", jwk: key.jwk };
      return new SignJWT(claims).setProtectedHeader(header).sign(KeyObject.from(key.privateKey));
    };
    await server.trust(fapi.client);
    const scope = "openid urn:service:iam:org:project:id:service:aud";
    const form = { ...(await codeBy(server, fapi, { scope })), ...(await fapi.assertion()) };
    const early = await server.form(token, form, { dpop: await sign("RS256", token) });
    assert.deepEqual([early.status, early.body.error], [400, "invalid_dpop_proof"]);
    const again = { ...form, ...(await fapi.assertion()) };
    const { status, body } = await server.form(token, again, { dpop: await sign("PS256", token) });
    assert.equal(status, 200, JSON.stringify(body));
    const { access_token: accessToken } = body;
    for (const path of [userinfo, `/v2/users/${server.user.userId}`]) {
      const answered = async (algorithm: string) =>
        ask(server, accessToken, await sign(algorithm, path, accessToken), { path });
      assert.deepEqual([await answered("PS256"), await answered("RS256")], [200, 401], path);
    }
  });
});
