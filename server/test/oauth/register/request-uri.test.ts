import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { type TestContext, test } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { signAssertion } from "../../support/oidc/assertions.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { minimal, register, registered, setRegistration } from "../../support/oidc/registration.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const jwk = { ...createPublicKey(privateKey).export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
const [redirectUri = ""] = minimal.redirect_uris;

interface Publishing {
  readonly server: OidcServer;
  readonly site: Receiver;
  readonly requestUri: string;
  readonly clientId: string;
  publish(object: string, status?: number): void;
  sign(claims?: Readonly<Record<string, unknown>>): string;
  /** Where a request with the reference leads: an error for the client, or the status of what is shown. */
  visit(parameters?: Readonly<Record<string, string>>, address?: string): Promise<string>;
}

async function start(t: TestContext): Promise<Publishing> {
  const config = { trustedProxies: ["127.0.0.0/8"] };
  const server = await startOidcServer(t, { certificates: testCertificate.cert, config });
  await setRegistration(server, "open");
  const site = await startReceiver(t, { isSecure: true });
  const requestUri = `${site.origin}/request.jwt#v1`;
  const metadata = { ...minimal, jwks: { keys: [jwk] }, request_uris: [requestUri] };
  const { client_id: clientId, ...rest } = await registered(server, metadata, null);
  assert.deepEqual(rest.request_uris, [requestUri]);
  return {
    server,
    site,
    requestUri,
    clientId,
    publish: (object, status = 200) => {
      site.answer = (_request, response) => response.writeHead(status).end(object);
    },
    sign: (claims) =>
      signAssertion(
        server,
        { key, keyId: "one", subject: clientId },
        { sub: undefined, redirect_uri: redirectUri, state: "inside", prompt: "none", ...claims },
      ),
    visit: async (parameters = {}, address = "203.0.113.1") => {
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: "code",
        scope: "openid",
        request_uri: requestUri,
        redirect_uri: redirectUri,
        state: "outside",
        ...parameters,
      });
      const response = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, {
        redirect: "manual",
        headers: { "x-forwarded-for": address },
      });
      await response.arrayBuffer();
      const location = response.headers.get("location");
      if (location === null) return `shown ${response.status}`;
      const url = new URL(location, server.origin);
      return url.origin === server.origin
        ? url.pathname
        : `${url.searchParams.get("error")} ${url.searchParams.get("state")}`;
    },
  };
}

test("a request object at a registered address is read and wins, as one that comes by value", async (t) => {
  const { server, site, publish, sign, visit } = await start(t);
  const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.deepEqual([body.request_uri_parameter_supported, body.require_request_uri_registration], [true, true]);
  publish(sign());
  assert.equal(await visit(), "login_required inside");
  assert.equal(await visit({ redirect_uri: "https://evil.example/cb" }), "login_required inside");
  publish(`${sign({ prompt: undefined })}\n`);
  assert.equal(await visit(), "/ui/login");
  assert.deepEqual(new Set(site.received.map(({ path }) => path)), new Set(["/request.jwt"]));
});

test("what is published there must be signed, and nothing else is read", async (t) => {
  const { server, site, publish, sign, visit, clientId } = await start(t);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const unsigned = `${encode({ alg: "none" })}.${encode({ iss: clientId, aud: server.origin, prompt: "none" })}.`;
  const cases: readonly [what: string, object: string, status: number, expected: string][] = [
    ["an unsigned object", unsigned, 200, "request_not_supported outside"],
    ["a broken signature", `${sign().slice(0, -8)}AAAAAAAA`, 200, "invalid_request_object outside"],
    ["one for somebody else", sign({ aud: "https://other.example" }), 200, "invalid_request_object outside"],
    ["a reference inside", sign({ request_uri: "https://app.example/r" }), 200, "invalid_request_object outside"],
    ["no object", "<html>", 200, "invalid_request_object outside"],
    ["too much", "x".repeat(100_000), 200, "invalid_request_uri outside"],
    ["nothing there", sign(), 404, "invalid_request_uri outside"],
  ];
  for (const [what, object, status, expected] of cases) {
    publish(object, status);
    assert.equal(await visit(), expected, what);
  }
  publish(sign());
  const before = site.received.length;
  const other = `${site.origin}/other.jwt`;
  assert.equal(await visit({ request_uri: other }), "request_uri_not_supported outside");
  assert.equal(await visit({ request_uri: `${site.origin}/request.jwt` }), "request_uri_not_supported outside");
  assert.equal(await visit({ request: sign() }), "invalid_request outside");
  await setRegistration(server, "off");
  assert.equal(await visit(), "request_uri_not_supported outside");
  assert.equal(site.received.length, before, "nothing was fetched");
  const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.deepEqual([body.request_uri_parameter_supported, body.require_request_uri_registration], [false, undefined]);
});

test("no client's server is asked without end, and only https addresses are registered", async (t) => {
  const { server, site, publish, sign, visit } = await start(t);
  publish(sign());
  for (let count = 0; count < 60; count++) await visit();
  assert.equal(await visit(), "temporarily_unavailable outside");
  assert.equal(site.received.length, 60);
  for (const uri of ["http://app.example/r", "javascript:alert(1)", "urn:x", "https://user@app.example/r", 1]) {
    const { status, body } = await register(server, { ...minimal, request_uris: [uri] }, null);
    assert.deepEqual([status, body.error], [400, "invalid_client_metadata"], String(uri));
  }
});

test("strangers who make us fetch a request object keep no user of the client from it", async (t) => {
  const { publish, sign, visit } = await start(t);
  publish(sign());
  const stranger: string[] = [];
  for (let count = 0; count < 61; count++) stranger.push(await visit({}, "198.51.100.7"));
  assert.equal(stranger.at(-1), "temporarily_unavailable outside");
  assert.equal(stranger.filter((outcome) => outcome === "login_required inside").length, 60);
  assert.equal(await visit(), "login_required inside");
});
