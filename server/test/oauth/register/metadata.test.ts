import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { type TestContext, test } from "node:test";
import { scriptUrls } from "../../support/hostile/hostile-urls.ts";
import { minimal, register, registered, registrationPath, setRegistration } from "../../support/oidc/registration.ts";
import { startServer, type TestServer } from "../../support/servers/server.ts";

// The tables of client metadata (RFC 7591 §2): what is refused and how, and what holds when nothing is said.

const web = "https://app.example/callback";
const native = "com.example.app:/callback";
const local = "http://localhost:9999/callback";
const device = "urn:ietf:params:oauth:grant-type:device_code";
const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = { ...publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };

async function startOpen(t: TestContext): Promise<TestServer> {
  const server = await startServer(t);
  await setRegistration(server, "open", { maxUnusedClientsPerSource: 1000 });
  return server;
}

type Case = readonly [what: string, metadata: unknown];

const invalidRedirectUri: readonly Case[] = [
  ["none", {}],
  ["null", { redirect_uris: null }],
  ["an empty list", { redirect_uris: [] }],
  ["blanks alone", { redirect_uris: ["", "  "] }],
  ["a text", { redirect_uris: web }],
  ["a number", { redirect_uris: [7] }],
  ["a fragment", { redirect_uris: [`${web}#x`] }],
  ["a relative URI", { redirect_uris: ["/callback"] }],
  ["a custom scheme for web", { redirect_uris: [native], application_type: "web" }],
  ["a custom scheme beside https for web", { redirect_uris: [web, native], application_type: "web" }],
  ["http elsewhere for web", { redirect_uris: ["http://app.example/cb"] }],
  ["http elsewhere for native", { redirect_uris: ["http://app.example/cb"], application_type: "native" }],
  [
    "http with implicit alone",
    { redirect_uris: ["http://app.example/cb"], grant_types: ["implicit"], response_types: ["id_token"] },
  ],
  [
    "a custom scheme with implicit",
    { redirect_uris: [native], grant_types: ["implicit"], response_types: ["id_token"], application_type: "native" },
  ],
  ...scriptUrls.map((url) => [`${JSON.stringify(url)}`, { redirect_uris: [web, url] }] as const),
  ["user information", { redirect_uris: ["https://user@app.example/callback"] }],
];

const invalidMetadata: readonly Case[] = [
  ["no JSON", "{"],
  ["a list", "[]"],
  ["a text", '"x"'],
  ["null", "null"],
  ["nothing", ""],
  ["a form", "redirect_uris=https://app.example"],
  ["an unknown authentication method", { ...minimal, token_endpoint_auth_method: "tls_client_auth" }],
  ["an authentication method that is no text", { ...minimal, token_endpoint_auth_method: 1 }],
  ["private_key_jwt without keys", { ...minimal, token_endpoint_auth_method: "private_key_jwt" }],
  ["an unknown grant type", { ...minimal, grant_types: ["password"] }],
  ["client_credentials, which is for service accounts", { ...minimal, grant_types: ["client_credentials"] }],
  ["grant types that are a text", { ...minimal, grant_types: "authorization_code" }],
  ["an unknown response type", { ...minimal, response_types: ["token"] }],
  ["hybrid", { ...minimal, grant_types: ["authorization_code", "implicit"], response_types: ["code id_token"] }],
  ["an unknown application type", { ...minimal, application_type: "user_agent" }],
  ["id_token without implicit", { ...minimal, response_types: ["id_token"] }],
  ["code without authorization_code", { ...minimal, grant_types: ["implicit"] }],
  ["refresh without code", { ...minimal, grant_types: ["refresh_token", "implicit"], response_types: ["id_token"] }],
  ["no response type", { ...minimal, response_types: [] }],
  [
    "native with a secret",
    { ...minimal, application_type: "native", token_endpoint_auth_method: "client_secret_basic" },
  ],
  ["native with post", { ...minimal, application_type: "native", token_endpoint_auth_method: "client_secret_post" }],
  [
    "native with a key",
    { ...minimal, application_type: "native", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] } },
  ],
  ["jwks and jwks_uri", { ...minimal, jwks: { keys: [jwk] }, jwks_uri: "https://app.example/keys" }],
  ["jwks that is no set", { ...minimal, jwks: [jwk] }],
  ["an empty jwks", { ...minimal, jwks: { keys: [] } }],
  ["a private key", { ...minimal, jwks: { keys: [privateKey.export({ format: "jwk" })] } }],
  ["a symmetric key", { ...minimal, jwks: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } }],
  ["a weak key", { ...minimal, jwks: { keys: [{ kty: "RSA", n: "AQAB", e: "AQAB" }] } }],
  ["keys for encryption alone", { ...minimal, jwks: { keys: [{ ...jwk, use: "enc" }] } }],
  ["bound tokens that are a text", { ...minimal, dpop_bound_access_tokens: "true" }],
  ["pushed requests that are a number", { ...minimal, require_pushed_authorization_requests: 1 }],
  ["a sign-in that begins without TLS", { ...minimal, initiate_login_uri: "http://app.example/start" }],
  ["pairwise subjects", { ...minimal, subject_type: "pairwise" }],
  ["unsigned id tokens", { ...minimal, id_token_signed_response_alg: "none" }],
  ["id tokens signed with the secret", { ...minimal, id_token_signed_response_alg: "HS256" }],
  ["an invisible name", { ...minimal, client_name: "Bank\u202e" }],
  ["a blank name", { ...minimal, client_name: "\u3164\u115f" }],
  ["a long name", { ...minimal, client_name: "x".repeat(201) }],
  ["a name that is no text", { ...minimal, client_name: {} }],
  ["contacts that are a text", { ...minimal, contacts: "ops@app.example" }],
  ["too many contacts", { ...minimal, contacts: Array.from({ length: 11 }, () => "ops@app.example") }],
  ["a NUL character", { ...minimal, client_name: "a\0b" }],
  ["a member that reaches a prototype", '{"redirect_uris":["https://app.example/cb"],"__proto__":{}}'],
  ["post-logout URIs that are a text", { ...minimal, post_logout_redirect_uris: web }],
  ...[
    "jwks_uri",
    "client_uri",
    "logo_uri",
    "policy_uri",
    "tos_uri",
    "initiate_login_uri",
    "backchannel_logout_uri",
  ].flatMap((name) =>
    [...scriptUrls, "https://user:pass@app.example/x"].map(
      (url) => [`${name} ${JSON.stringify(url)}`, { ...minimal, [name]: url }] as const,
    ),
  ),
  ...scriptUrls.flatMap((url) => [
    [`request_uris ${JSON.stringify(url)}`, { ...minimal, request_uris: [url] }] as const,
    [`sector_identifier_uri ${JSON.stringify(url)}`, { ...minimal, sector_identifier_uri: url }] as const,
  ]),
  ...scriptUrls.map(
    (url) => [`post-logout ${JSON.stringify(url)}`, { ...minimal, post_logout_redirect_uris: [url] }] as const,
  ),
];

test("redirect URIs that are refused are invalid_redirect_uri, everything else invalid_client_metadata", async (t) => {
  const server = await startOpen(t);
  for (const [error, cases] of [
    ["invalid_redirect_uri", invalidRedirectUri],
    ["invalid_client_metadata", invalidMetadata],
  ] as const) {
    for (const [what, metadata] of cases) {
      const { status, body, headers } = await register(server, metadata, null);
      assert.deepEqual([status, body.error], [400, error], `${what}: ${JSON.stringify(body)}`);
      assert.match(body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, what);
      assert.equal(headers.get("content-type"), "application/json", what);
      assert.equal(headers.get("cache-control"), "no-store", what);
      assert.equal(headers.get("pragma"), "no-cache", what);
    }
  }
  const { body } = await server.rest("POST", "/v2/projects/_search", { body: {} });
  assert.doesNotMatch(JSON.stringify(body), /Registered clients/, "a refused registration leaves nothing behind");
});

type Effect = readonly [what: string, metadata: object, expected: Readonly<Record<string, unknown>>];

const effects: readonly Effect[] = [
  [
    "nothing but a redirect URI",
    minimal,
    {
      redirect_uris: [web],
      response_types: ["code"],
      grant_types: ["authorization_code"],
      application_type: "web",
      token_endpoint_auth_method: "client_secret_basic",
      post_logout_redirect_uris: [],
      client_name: undefined,
      client_secret_expires_at: 0,
    },
  ],
  ["blanks around URIs and repetitions", { redirect_uris: [` ${web} `, web, ""] }, { redirect_uris: [web] }],
  ["a name with blanks", { ...minimal, client_name: "  Shop  " }, { client_name: "Shop" }],
  ["an empty name", { ...minimal, client_name: " " }, { client_name: undefined }],
  [
    "null for what is not said",
    { ...minimal, client_name: null, grant_types: null, jwks: null },
    { grant_types: ["authorization_code"] },
  ],
  [
    "post",
    { ...minimal, token_endpoint_auth_method: "client_secret_post" },
    { token_endpoint_auth_method: "client_secret_post" },
  ],
  [
    "none",
    { ...minimal, token_endpoint_auth_method: "none" },
    { token_endpoint_auth_method: "none", client_secret: undefined, client_secret_expires_at: undefined },
  ],
  [
    "native",
    { ...minimal, application_type: "native" },
    { token_endpoint_auth_method: "none", client_secret: undefined },
  ],
  ["a custom scheme", { redirect_uris: [native] }, { application_type: "native", token_endpoint_auth_method: "none" }],
  ["the loopback", { redirect_uris: [local] }, { application_type: "native", token_endpoint_auth_method: "none" }],
  [
    "the loopback without a credential",
    { redirect_uris: [local], token_endpoint_auth_method: "none" },
    { application_type: "native" },
  ],
  [
    "the loopback with a secret",
    { redirect_uris: [local], token_endpoint_auth_method: "client_secret_post" },
    { application_type: "web" },
  ],
  [
    "http on the machine itself for web with code",
    { redirect_uris: [local], application_type: "web" },
    { redirect_uris: [local], application_type: "web" },
  ],
  [
    "refresh",
    { ...minimal, grant_types: ["authorization_code", "refresh_token"] },
    { grant_types: ["authorization_code", "refresh_token"] },
  ],
  ["a device", { ...minimal, grant_types: [device] }, { grant_types: [device], response_types: ["code"] }],
  [
    "token exchange",
    { ...minimal, grant_types: ["authorization_code", exchange] },
    { grant_types: ["authorization_code", exchange] },
  ],
  [
    "implicit, words in any order",
    { ...minimal, grant_types: ["implicit"], response_types: ["token id_token", "id_token"] },
    { response_types: ["id_token token", "id_token"], grant_types: ["implicit"] },
  ],
  [
    "code and implicit",
    { ...minimal, grant_types: ["authorization_code", "implicit"], response_types: ["code", "id_token"] },
    { response_types: ["code", "id_token"] },
  ],
  [
    "post-logout URIs",
    { ...minimal, post_logout_redirect_uris: ["https://app.example/bye"] },
    { post_logout_redirect_uris: ["https://app.example/bye"] },
  ],
  ["an algorithm", { ...minimal, id_token_signed_response_alg: "ES256" }, { id_token_signed_response_alg: "ES256" }],
  ["public subjects", { ...minimal, subject_type: "public" }, { subject_type: "public" }],
  [
    "keys",
    { ...minimal, token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] } },
    { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] }, client_secret: undefined },
  ],
  ["keys of several uses", { ...minimal, jwks: { keys: [{ ...jwk, use: "enc" }, jwk] } }, { jwks: { keys: [jwk] } }],
  [
    "keys at an address",
    { ...minimal, token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://app.example/keys" },
    { jwks_uri: "https://app.example/keys", client_secret: undefined },
  ],
  [
    "back-channel logout",
    { ...minimal, backchannel_logout_uri: "https://app.example/out", backchannel_logout_session_required: true },
    { backchannel_logout_uri: "https://app.example/out", backchannel_logout_session_required: true },
  ],
  [
    "what is kept for others",
    {
      ...minimal,
      client_uri: "https://app.example",
      logo_uri: "https://app.example/logo.png",
      policy_uri: "https://app.example/policy",
      tos_uri: "https://app.example/terms",
      contacts: ["ops@app.example"],
      software_id: "4NRB1-0XZABZI9E6-5SM3R",
      software_version: "2.1",
      initiate_login_uri: "https://app.example/start",
    },
    {
      initiate_login_uri: "https://app.example/start",
      client_uri: "https://app.example",
      logo_uri: "https://app.example/logo.png",
      policy_uri: "https://app.example/policy",
      tos_uri: "https://app.example/terms",
      contacts: ["ops@app.example"],
      software_id: "4NRB1-0XZABZI9E6-5SM3R",
      software_version: "2.1",
    },
  ],
  [
    "pushed requests and bound tokens",
    { ...minimal, require_pushed_authorization_requests: true, dpop_bound_access_tokens: true },
    { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true },
  ],
  [
    "neither of them",
    { ...minimal, require_pushed_authorization_requests: false, dpop_bound_access_tokens: false },
    { require_pushed_authorization_requests: undefined, dpop_bound_access_tokens: undefined },
  ],
  [
    "what we do not know",
    { ...minimal, scope: "openid x", frobnicate: { a: [1] }, "client_name#de": "Laden" },
    { scope: undefined, frobnicate: undefined, "client_name#de": undefined },
  ],
];

test("what is accepted is answered with its defaults, and read again as it was answered", async (t) => {
  const server = await startOpen(t);
  for (const [what, metadata, expected] of effects) {
    const { status, body, headers } = await register(server, metadata, null);
    assert.equal(status, 201, `${what}: ${JSON.stringify(body)}`);
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, `${what}: ${name}`);
    assert.match(body.client_id, /^\d{18,19}$/, what);
    assert.equal(body.client_id_issued_at, Math.floor(server.clock.now / 1000), what);
    assert.equal(body.registration_client_uri, `${server.origin}${registrationPath}/${body.client_id}`, what);
    const hasSecret = body.token_endpoint_auth_method.startsWith("client_secret");
    assert.equal(typeof body.client_secret, hasSecret ? "string" : "undefined", what);
    assert.equal(body.client_secret_expires_at, hasSecret ? 0 : undefined, what);
    assert.equal(headers.get("cache-control"), "no-store", what);
    assert.equal(headers.get("pragma"), "no-cache", what);

    const { registration_access_token: token, client_secret: _, client_secret_expires_at: __, ...rest } = body;
    const read = await server.rest("GET", `${registrationPath}/${body.client_id}`, { token });
    assert.equal(read.status, 200, what);
    assert.deepEqual(read.body, rest, what);
  }
});

test("a body above 100 KiB is 413 with invalid_client_metadata, and one just below it is read", async (t) => {
  const server = await startOpen(t);
  const ofSize = (size: number): string => {
    const body = JSON.stringify({ ...minimal, scope: "" });
    return body.replace('"scope":""', `"scope":"${"x".repeat(size - body.length)}"`);
  };
  assert.equal((await register(server, ofSize(100 * 1024), null)).status, 201);
  for (const size of [100 * 1024 + 1, 2 * 1024 * 1024]) {
    const { status, body, headers } = await register(server, ofSize(size), null);
    assert.deepEqual([status, body.error], [413, "invalid_client_metadata"], `${size}`);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("pragma"), "no-cache");
  }
});

test("many clients may have one name", async (t) => {
  const server = await startOpen(t);
  const named = { ...minimal, client_name: "Notebook" };
  const [one, other] = [await registered(server, named, null), await registered(server, named, null)];
  assert.equal(one.client_name, other.client_name);
  assert.notEqual(one.client_id, other.client_id);
});
