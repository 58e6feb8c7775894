import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { test } from "node:test";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

async function redeem(
  server: OidcServer,
  client: TestClient,
  proof: { parameters?: Record<string, string>; headers?: Record<string, string> },
) {
  const { code, codeVerifier } = await server.signIn({ client });
  return server.form(
    "/oauth/v2/token",
    {
      grant_type: "authorization_code",
      code,
      redirect_uri: client.redirectUri,
      code_verifier: codeVerifier,
      ...proof.parameters,
    },
    proof.headers,
  );
}

test("a client with a secret may send it by Basic or in the body", async (t) => {
  const server = await startOidcServer(t);
  const { client } = server;
  assert.equal((await redeem(server, client, { headers: client.basic })).status, 200);
  const parameters = { client_id: client.clientId, client_secret: client.clientSecret };
  assert.equal((await redeem(server, client, { parameters })).status, 200);
});

test("a failed proof is 401 invalid_client with a challenge, whatever failed", async (t) => {
  const server = await startOidcServer(t);
  const { client } = server;
  const wrong = [
    { headers: basicOf(client.clientId, "wrong") },
    { headers: basicOf("0", client.clientSecret) },
    { headers: { authorization: "Basic !!!" } },
    { headers: { authorization: `Bearer ${client.clientSecret}` } },
    { parameters: { client_id: client.clientId } },
    { parameters: { client_id: client.clientId, client_secret: "" } },
    {},
  ];
  for (const proof of wrong) {
    const answer = await redeem(server, client, proof);
    assert.equal(answer.status, 401, JSON.stringify(proof));
    assert.equal(answer.body.error, "invalid_client");
    assert.match(answer.headers.get("www-authenticate") ?? "", /^Basic /);
  }
});

test("two authentication methods at once are invalid_request (RFC 6749 §2.3)", async (t) => {
  const server = await startOidcServer(t);
  const { client } = server;
  const answer = await redeem(server, client, {
    headers: client.basic,
    parameters: { client_id: client.clientId, client_secret: "another" },
  });
  assert.equal(answer.body.error, "invalid_request");
  // Twice the same secret is one way (Z11).
  const same = await redeem(server, client, {
    headers: client.basic,
    parameters: { client_id: client.clientId, client_secret: client.clientSecret },
  });
  assert.equal(same.status, 200, JSON.stringify(same.body));
});

test("a deactivated application cannot authenticate", async (t) => {
  const server = await startOidcServer(t);
  const { client } = server;
  const tokens = await server.tokens({ scope: "openid offline_access" });
  const other = await server.createClient();
  const { projectId } = server;
  const deactivated = await server.connect("service.application.v2.ApplicationService/DeactivateApplication", {
    projectId,
    applicationId: client.applicationId,
  });
  assert.equal(deactivated.status, 200);
  const answer = await server.form(
    "/oauth/v2/token",
    { grant_type: "refresh_token", refresh_token: tokens["refresh_token"] ?? "" },
    client.basic,
  );
  assert.equal(answer.body.error, "invalid_client");
  assert.deepEqual(await server.introspect(tokens["access_token"] ?? "", other), { active: false });
});

interface Signer {
  readonly key: KeyObject;
  readonly keyId: string;
}

function makeAssertion({ key, keyId }: Signer, claims: Record<string, unknown>): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg: "RS256", kid: keyId })}.${encode(claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), key).toString("base64url")}`;
}

async function keyedClient(server: OidcServer): Promise<{ client: TestClient; signer: Signer }> {
  const client = await server.createClient({ authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" });
  const answer = await server.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
    projectId: server.projectId,
    applicationId: client.applicationId,
    expirationDate: "2100-01-01T00:00:00Z",
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const file = JSON.parse(Buffer.from(answer.body.keyDetails, "base64").toString("utf8"));
  return { client, signer: { key: createPrivateKey(file.key), keyId: file.keyId } };
}

test("private_key_jwt: signed by a registered key for our issuer, and used once", async (t) => {
  const server = await startOidcServer(t);
  const { client, signer } = await keyedClient(server);
  const now = Math.floor(server.clock.now / 1000);
  const claims = { iss: client.clientId, sub: client.clientId, aud: server.origin, iat: now, exp: now + 60 };
  const once = makeAssertion(signer, { ...claims, jti: randomUUID() });
  const parameters = { client_assertion: once, client_assertion_type: assertionType };
  assert.equal((await redeem(server, client, { parameters })).status, 200);
  assert.equal((await redeem(server, client, { parameters })).body.error, "invalid_client");

  const stranger: Signer = { key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey, keyId: signer.keyId };
  const wrong = {
    "another key": makeAssertion(stranger, { ...claims, jti: randomUUID() }),
    "another audience": makeAssertion(signer, { ...claims, aud: "https://other.example", jti: randomUUID() }),
    "another issuer": makeAssertion(signer, { ...claims, iss: server.client.clientId, jti: randomUUID() }),
    "another subject": makeAssertion(signer, { ...claims, sub: "1", jti: randomUUID() }),
    expired: makeAssertion(signer, { ...claims, exp: now - 60, iat: now - 120, jti: randomUUID() }),
    "without expiry": makeAssertion(signer, { ...claims, exp: undefined, jti: randomUUID() }),
    "too old": makeAssertion(signer, { ...claims, iat: now - 3_700, jti: randomUUID() }),
    "not a token": "x.y.z",
  };
  for (const [name, assertion] of Object.entries(wrong)) {
    const answer = await redeem(server, client, {
      parameters: { client_assertion: assertion, client_assertion_type: assertionType },
    });
    assert.equal(answer.body.error, "invalid_client", name);
    assert.equal(answer.status, 401, name);
  }
});

test("50 parallel uses of one assertion succeed once", async (t) => {
  const server = await startOidcServer(t);
  const { client, signer } = await keyedClient(server);
  const now = Math.floor(server.clock.now / 1000);
  const claims = {
    iss: client.clientId,
    sub: client.clientId,
    aud: server.origin,
    iat: now,
    exp: now + 60,
    jti: "one",
  };
  const parameters = {
    token: "x",
    client_assertion: makeAssertion(signer, claims),
    client_assertion_type: assertionType,
  };
  const answers = await Promise.all(Array.from({ length: 50 }, () => server.form("/oauth/v2/introspect", parameters)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test("introspection takes only Basic and an assertion, and no public client", async (t) => {
  const server = await startOidcServer(t);
  const { client } = server;
  const inBody = { token: "x", client_id: client.clientId, client_secret: client.clientSecret };
  const answer = await server.form("/oauth/v2/introspect", inBody);
  assert.equal(answer.status, 401);
  assert.equal(answer.body.error, "invalid_client");
  const open = await server.createClient({
    applicationType: "OIDC_APP_TYPE_NATIVE",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  });
  assert.equal((await server.form("/oauth/v2/introspect", { token: "x", client_id: open.clientId })).status, 401);
});
