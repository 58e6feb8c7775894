import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { jwkThumbprint } from "../../../src/base/jose/index.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { assertionType, signAssertion } from "../../support/oidc/assertions.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { minimal, registered, registrationPath, setRegistration } from "../../support/oidc/registration.ts";

interface Pair {
  readonly keyId: string;
  readonly key: string;
  readonly jwk: object;
}

function makePair(keyId: string): Pair {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...createPublicKey(privateKey).export({ format: "jwk" }), kid: keyId, use: "sig", alg: "RS256" };
  return { keyId, jwk, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

const [one, two, three] = [makePair("one"), makePair("two"), makePair("three")];

/** Whether an assertion that the pair signed is taken for the client. */
async function proves(server: OidcServer, clientId: string, pair: Pair): Promise<boolean> {
  const { status, body } = await server.form("/oauth/v2/introspect", {
    token: "any",
    client_assertion: signAssertion(server, { ...pair, subject: clientId }),
    client_assertion_type: assertionType,
  });
  assert.ok(status === 200 || (status === 401 && body.error === "invalid_client"), JSON.stringify(body));
  return status === 200;
}

enginesInTurn((engine, test) => {
  test("a client proves itself with the keys of its jwks, and with those alone", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const keyed = { ...minimal, token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [one.jwk, two.jwk] } };
    const made = await registered(server, keyed, null);
    const check = (pair: Pair) => proves(server, made.client_id, pair);
    assert.deepEqual([await check(one), await check(two), await check(three)], [true, true, false]);
    // Administrators see whose keys these are.
    const filters = [{ clientIdFilter: { clientId: made.client_id } }];
    const found = await server.connect("service.application.v2.ApplicationService/ListApplications", { filters });
    const { jwkThumbprints } = found.body.applications[0].oidcConfiguration;
    assert.deepEqual(
      jwkThumbprints,
      [one, two].map(({ key }) => jwkThumbprint(createPrivateKey(key))),
    );
    const query = new URLSearchParams({
      client_id: made.client_id,
      redirect_uri: "https://app.example/callback",
      response_type: "code",
      scope: "openid",
      request: signAssertion(
        server,
        { ...one, subject: made.client_id },
        { sub: undefined, redirect_uri: "https://app.example/callback", prompt: "none", state: "s" },
      ),
    });
    const asked = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
    const back = new URL(asked.headers.get("location") ?? "", server.origin);
    assert.equal(back.searchParams.get("error"), "login_required", "request objects too are signed with these keys");
    assert.equal(back.searchParams.get("state"), "s");
    const replaced = await server.rest("PUT", `${registrationPath}/${made.client_id}`, {
      token: made.registration_access_token,
      body: { ...keyed, jwks: { keys: [three.jwk] } },
    });
    assert.equal(replaced.status, 200);
    assert.deepEqual([await check(one), await check(two), await check(three)], [false, false, true]);
  });
});

test("keys at an address are fetched when they are needed, kept, and asked again for a key that is new", async (t) => {
  const server = await startOidcServer(t);
  await setRegistration(server, "open");
  const receiver = await startReceiver(t);
  let published: unknown = { keys: [one.jwk, { kty: "oct", k: "c2VjcmV0" }, "x"] };
  receiver.answer = (_request, response) => response.end(JSON.stringify(published));
  const made = await registered(
    server,
    { ...minimal, token_endpoint_auth_method: "private_key_jwt", jwks_uri: `${receiver.origin}/keys` },
    null,
  );
  const check = (pair: Pair) => proves(server, made.client_id, pair);
  assert.equal(receiver.received.length, 0, "registering fetches nothing");
  assert.deepEqual([await check(one), await check(one)], [true, true]);
  assert.equal(receiver.received.length, 1);

  published = { keys: [two.jwk] };
  assert.equal(await check(two), false, "a stranger with new key ids does not make us ask again and again");
  assert.equal(receiver.received.length, 1);
  server.clock.now += 30_000;
  assert.equal(await check(two), true);
  assert.deepEqual(
    [await check(one), receiver.received.length],
    [false, 2],
    "what is published no more proves nothing",
  );

  server.clock.now += 300_000;
  published = "not a key set";
  assert.equal(await check(two), true, "a server that is down for a while takes no client away");
  server.clock.now += 3_600_000;
  assert.equal(await check(two), false, "keys that nobody confirms are not believed for ever");
});

test("keys at an inner address are not fetched", async (t) => {
  const server = await startOidcServer(t, { config: { outboundAllow: [] } });
  await setRegistration(server, "open");
  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) => response.end(JSON.stringify({ keys: [one.jwk] }));
  const made = await registered(
    server,
    { ...minimal, token_endpoint_auth_method: "private_key_jwt", jwks_uri: `${receiver.origin}/keys` },
    null,
  );
  assert.equal(await proves(server, made.client_id, one), false);
  assert.equal(receiver.connections, 0);
});
