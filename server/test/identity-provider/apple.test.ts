import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import { leftHalfHash } from "../../src/base/jose/index.ts";
import { Secret } from "../../src/base/secret.ts";
import { mayPrepareFor } from "../../src/domain/administrator-access/index.ts";
import { findIdentityProvider } from "../../src/domain/identity-provider/index.ts";
import { createAppleClient } from "../../src/domain/identity-provider-client/apple.ts";
import { receiveAnswer, startHostedIntent } from "../../src/domain/identity-provider-intent/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { putProvider } from "../support/identity-provider/identity-providers.ts";
import type { Json } from "../support/oidc/signed-jose.ts";
import { testCall } from "../support/operations/call.ts";
import { eachServer } from "../support/servers/each-server.ts";
import {
  type Answers,
  accessToken,
  begin,
  complete,
  formOf,
  isRefused,
  keySet,
  nonce,
  seconds,
  sign,
  startProviders,
} from "./provider-answers.ts";

const issuer = "https://appleid.apple.com";
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const configuration = { clientId: "com.example.web", teamId: "TEAM123456", keyId: "KEY1234567", scopes: [] };
const relay = { email: "q7x@privaterelay.appleid.com", email_verified: "true", is_private_email: "true" };

/** What stands at Apple's addresses; `claims` are those of the id token. */
const appleWith = (claims: Json): Answers => ({
  "appleid.apple.com/.well-known/openid-configuration": () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth/authorize`,
    token_endpoint: `${issuer}/auth/token`,
    jwks_uri: `${issuer}/auth/keys`,
    response_types_supported: ["code"],
    response_modes_supported: ["query", "fragment", "form_post"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    scopes_supported: ["openid", "email", "name"],
  }),
  "appleid.apple.com/auth/keys": () => keySet,
  "appleid.apple.com/auth/token": () => ({
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: "r.apple",
    id_token: sign({
      iss: issuer,
      aud: configuration.clientId,
      sub: "001234.abcd.0815",
      iat: seconds,
      exp: seconds + 600,
      auth_time: seconds - 2,
      at_hash: leftHalfHash(accessToken, "RS256"),
      nonce_supported: true,
      ...claims,
    }),
  }),
});

const segment = (jwt: string, index: number) =>
  JSON.parse(Buffer.from(jwt.split(".")[index] ?? "", "base64url").toString());

test("a client of Apple", async (t) => {
  const { receiver, fresh, answerWith } = await startProviders(t);
  const apple = (more: object = {}) =>
    createAppleClient(fresh(), { ...configuration, scopes: ["name", "email"], privateKey: new Secret(pem), ...more });
  const completeWith = (user: string | undefined, claims: Json = relay) => {
    answerWith(appleWith({ nonce, ...claims }));
    const client = apple();
    return complete({ ...client, complete: (answer) => client.complete({ ...answer, user }) });
  };

  await t.test("asks for a posted answer, with documented parameters only", async () => {
    answerWith(appleWith({ nonce }));
    const { url, hasChallenge } = await begin(apple());
    const { origin, pathname, searchParams } = new URL(url);
    assert.equal(origin + pathname, `${issuer}/auth/authorize`);
    assert.deepEqual(Object.fromEntries(searchParams), {
      client_id: "com.example.web",
      redirect_uri: "https://login.example.com/idps/callback",
      response_type: "code",
      response_mode: "form_post",
      scope: "openid name email",
      state: "st",
      nonce,
    });
    assert.equal(hasChallenge, false);
  });

  await t.test("authenticates with a secret that it signs for each request", async () => {
    const { tokens } = await completeWith(undefined);
    assert.equal(tokens.refreshToken?.reveal(), "r.apple");
    const request = receiver.received.findLast(({ method }) => method === "POST");
    assert.ok(request);
    const { client_id: clientId, client_secret: jwt = "", code } = formOf(request);
    assert.deepEqual([clientId, code], ["com.example.web", "4/0Ab"]);
    assert.equal(request.headers.authorization, undefined);
    assert.deepEqual(segment(jwt, 0), { alg: "ES256", typ: "JWT", kid: "KEY1234567" });
    const claims = { iss: "TEAM123456", iat: seconds, exp: seconds + 300, aud: issuer, sub: "com.example.web" };
    assert.deepEqual(segment(jwt, 1), claims);
    const [head, body, signature = ""] = jwt.split(".");
    const signed = Buffer.from(`${head}.${body}`);
    const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
    assert.ok(verify("sha256", signed, key, Buffer.from(signature, "base64url")));
    assert.ok(!JSON.stringify(receiver.received).includes("PRIVATE KEY"));
  });

  await t.test("reads the name of the first answer, and nothing else that is not signed", async () => {
    const user = { name: { firstName: "Ada", lastName: "Lovelace" }, email: "victim@mail.example", sub: "other" };
    const identity = await completeWith(JSON.stringify(user));
    assert.equal(identity.subject, "001234.abcd.0815");
    assert.deepEqual([identity.givenName, identity.familyName], ["Ada", "Lovelace"]);
    assert.deepEqual([identity.email, identity.isEmailVerified], ["q7x@privaterelay.appleid.com", true]);
    const later = await completeWith(undefined);
    assert.deepEqual([later.givenName, later.familyName], [undefined, undefined]);
  });

  await t.test("is not confused by what a browser writes instead of a name", async () => {
    for (const user of [
      "",
      "not json",
      "[]",
      "null",
      '"text"',
      '{"name":"Ada"}',
      '{"name":null}',
      '{"name":{"firstName":{"a":1},"lastName":["b"]}}',
      '{"name":{"firstName":"\\u0000","lastName":"'.concat("x".repeat(300), '"}}'),
      '{"name":{"firstName":"Ada"},"name":{"firstName":"Eve"}}',
      '{"__proto__":{"name":{"firstName":"Eve"}}}',
    ]) {
      const identity = await completeWith(user);
      assert.deepEqual([identity.givenName, identity.familyName], [undefined, undefined], user);
      assert.equal(identity.subject, "001234.abcd.0815");
    }
  });

  await t.test("counts an address as verified by a boolean or a text, and by nothing else", async () => {
    for (const [said, isVerified] of [
      [true, true],
      ["true", true],
      [false, false],
      ["false", false],
      ["TRUE", false],
      [1, false],
      [["true"], false],
      [undefined, false],
    ] as const) {
      const { isEmailVerified } = await completeWith(undefined, { email: "a@mail.example", email_verified: said });
      assert.equal(isEmailVerified, isVerified, JSON.stringify(said));
    }
    const { email, isEmailVerified } = await completeWith(undefined, { email_verified: true });
    assert.deepEqual([email, isEmailVerified], [undefined, false], "no address, nothing verified");
  });

  await t.test("refuses tokens of another issuer, client or sign-in", async () => {
    await assert.rejects(
      completeWith(undefined, { iss: "https://evil.example" }),
      isRefused("token_refused", "issuer"),
    );
    await assert.rejects(completeWith(undefined, { aud: "com.example.other" }), isRefused("token_refused", "audience"));
    await assert.rejects(completeWith(undefined, { nonce: "another" }), isRefused("token_refused", "nonce"));
    await assert.rejects(completeWith(undefined, { nonce: undefined }), isRefused("token_refused", "nonce"));
    answerWith(appleWith({ nonce }));
    await assert.rejects(complete(apple({ privateKey: undefined })), isRefused("code_refused"));
  });
});

eachServer((start) => {
  test("a posted answer of Apple reaches its attempt with the name, and only in its browser", async (t) => {
    const server = await start(t);
    const { fresh, answerWith } = await startProviders(t);
    const { domain } = server.app;
    const deps = { ...domain, ...fresh(), mayPrepareFor };
    const idpId = await putProvider(server, { configuration: { kind: "apple", ...configuration }, secret: pem });
    const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const call = testCall({ instanceId, now: server.clock.now });
    const provider = await findIdentityProvider(domain.database.read, instanceId, idpId);
    assert.ok(provider);
    const begun = async (browserHash: string) => {
      answerWith(appleWith({ nonce }));
      const browser = { browserHash, authRequestId: undefined, deviceAuthorizationId: undefined };
      const { url } = await startHostedIntent(deps, call, { provider, origin: server.origin, browser });
      const parameters = new URL(url ?? "").searchParams;
      const asked = { state: parameters.get("state") ?? "", nonce: parameters.get("nonce") ?? "" };
      answerWith(appleWith({ ...relay, nonce: asked.nonce }));
      return asked.state;
    };
    const receive = (state: string, browserHash: string) =>
      receiveAnswer(deps, call, { state, browserHash, origin: server.origin, path: "/idps/callback", said: "posted" });
    // Apple's page posts from its own site, so that no cookie comes along.
    const post = async (fields: Readonly<Record<string, string>>) => {
      const response = await fetch(`${server.origin}/idps/callback`, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          origin: issuer,
          "sec-fetch-site": "cross-site",
          "sec-fetch-mode": "navigate",
        },
        body: new URLSearchParams(fields).toString(),
      });
      await response.arrayBuffer();
      return `${response.status} ${response.headers.get("location")}`;
    };
    const user = JSON.stringify({ name: { firstName: "Ada", lastName: "Lovelace" }, email: "victim@mail.example" });

    await t.test("the browser comes back with the state alone, and the answer is used once", async () => {
      const state = await begun("browser-1");
      assert.equal(await post({ state, code: "c0de", user }), `303 /idps/callback?state=${state}`);
      const stolen = await receive(state, "browser-2");
      assert.equal(stolen.outcome === "stale" && stolen.why, "other_browser");
      const answer = await receive(state, "browser-1");
      assert.ok(answer.outcome === "succeeded", answer.outcome);
      const { givenName, familyName, email, isEmailVerified } = answer.identity;
      assert.deepEqual([givenName, familyName, email, isEmailVerified], ["Ada", "Lovelace", relay.email, true]);
      const again = await receive(state, "browser-1");
      assert.equal(again.outcome === "stale" && again.why, "used");
    });

    await t.test("the first posted answer stays", async () => {
      const state = await begun("browser-3");
      await post({ state, code: "c0de", user });
      await post({ state, code: "evil", user: JSON.stringify({ name: { firstName: "Eve", lastName: "Evil" } }) });
      const answer = await receive(state, "browser-3");
      assert.equal(answer.outcome === "succeeded" && answer.identity.givenName, "Ada");
    });

    await t.test("a canceled sign-in is one", async () => {
      const state = await begun("browser-4");
      await post({ state, error: "user_cancelled_authorize", user });
      const answer = await receive(state, "browser-4");
      assert.equal(answer.outcome === "failed" && answer.failure, "denied");
    });
  });
});
