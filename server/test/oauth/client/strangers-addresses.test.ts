import assert from "node:assert/strict";
import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { type TestContext, test } from "node:test";
import { realPng } from "../../support/data/pictures.ts";
import { fetch } from "../../support/http/fetch.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { assertionType, signAssertion } from "../../support/oidc/assertions.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { minimal, register, registered, setRegistration } from "../../support/oidc/registration.ts";
import { eventually, outcomes, settle } from "../support/back-channel.ts";
import { documentOf, isTaken, permit, type Site, startSite } from "./document-site.ts";

// The exceptions of an operator who serves others: those of a developer's own machine are for all clients.
const startInside = (t: TestContext) =>
  startOidcServer(t, {
    certificates: testCertificate.cert,
    config: { mode: "start", outboundAllow: ["127.0.0.0/8"] },
  });

/** Registers a client twice: as a stranger, and with the token of an administrator. */
async function registerTwice(server: OidcServer, metadata: object) {
  const [stranger, approved] = [await registered(server, metadata, null), await registered(server, metadata)];
  return { stranger, approved };
}

test("the operator's exceptions apply to addresses named by administrators, but not to those of self-registered clients", async (t) => {
  const server = await startInside(t);
  await setRegistration(server, "open", { maxUnusedClientsPerSource: 100 });
  const site = await startReceiver(t, { isSecure: true });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const jwk = { ...createPublicKey(privateKey).export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
  const [redirectUri = ""] = minimal.redirect_uris;

  await t.test("key sets", async () => {
    site.answer = (_request, response) => response.end(JSON.stringify({ keys: [jwk] }));
    const metadata = { ...minimal, token_endpoint_auth_method: "private_key_jwt", jwks_uri: `${site.origin}/keys` };
    const { stranger, approved } = await registerTwice(server, metadata);
    const introspect = ({ client_id }: { client_id: string }) =>
      server.form("/oauth/v2/introspect", {
        token: "any",
        client_assertion: signAssertion(server, { key, keyId: "one", subject: client_id }),
        client_assertion_type: assertionType,
      });
    assert.equal((await introspect(stranger)).status, 401);
    assert.equal(site.connections, 0);
    assert.equal((await introspect(approved)).status, 200);
    assert.equal((await introspect(stranger)).status, 401, "nor what was fetched for others");
  });

  await t.test("request objects", async () => {
    const before = site.connections;
    const metadata = { ...minimal, jwks: { keys: [jwk] }, request_uris: [`${site.origin}/request.jwt`] };
    const { stranger, approved } = await registerTwice(server, metadata);
    const errorFor = async ({ client_id }: { client_id: string }) => {
      const signer = { key, keyId: "one", subject: client_id };
      const claims = { sub: undefined, redirect_uri: redirectUri, prompt: "none" };
      site.answer = (_request, response) => response.end(signAssertion(server, signer, claims));
      const asked = { client_id, response_type: "code", scope: "openid", redirect_uri: redirectUri };
      const query = new URLSearchParams({ ...asked, request_uri: `${site.origin}/request.jwt` });
      const answer = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
      return new URL(answer.headers.get("location") ?? server.origin).searchParams.get("error");
    };
    assert.equal(await errorFor(stranger), "invalid_request_uri");
    assert.equal(site.connections, before);
    assert.equal(await errorFor(approved), "login_required");
  });

  await t.test("lists of redirect URIs", async () => {
    const before = site.connections;
    site.answer = (_request, response) => response.end(JSON.stringify(minimal.redirect_uris));
    const metadata = { ...minimal, sector_identifier_uri: `${site.origin}/list` };
    assert.equal((await register(server, metadata, null)).status, 400);
    assert.equal(site.connections, before);
    assert.equal((await register(server, metadata)).status, 201);
  });

  await t.test("logos", async () => {
    const before = site.connections;
    site.answer = (_request, response) => response.end(realPng(64, 48));
    const logo_uri = `${site.origin}/logo.png`;
    const { stranger, approved } = await registerTwice(server, { ...minimal, logo_uri });
    const version = createHash("sha256").update(logo_uri).digest("base64url").slice(0, 22);
    const ask = async ({ client_id: client }: { client_id: string }) =>
      (await fetch(`${server.origin}/ui/login/client-logo?${new URLSearchParams({ client, version })}`)).status;
    assert.equal(await ask(stranger), 404);
    assert.equal(site.connections, before);
    assert.equal(await ask(approved), 200);
    assert.equal(await ask(stranger), 404);
  });

  await t.test("notices of sign-outs", async () => {
    const before = site.connections;
    site.answer = (_request, response) => response.end();
    const { stranger, approved } = await registerTwice(server, {
      ...minimal,
      backchannel_logout_uri: `${site.origin}/job/x/build`,
    });
    const [first, second] = [stranger, approved].map(({ client_id }) => ({
      ...server.client,
      clientId: client_id as string,
      redirectUri,
    }));
    assert.ok(first && second);
    const session = await server.signIn({ client: first });
    await server.signIn({ client: second, session });
    await server.rest("DELETE", `/v2/sessions/${session.sessionId}`, { body: {} });
    await eventually(async () => (await outcomes(server)).length === 1, "the one is told");
    const expected = [
      `logout_notice.delivered ${second.clientId} 1`,
      `logout_notice.failed ${first.clientId} 5 unreachable`,
    ];
    assert.deepEqual(await settle(server, 2, 180_000), expected);
    assert.equal(site.connections, before + 1);
  });
});

for (const namesOthers of [false, true])
  test(`a client that was registered with a token opens no addresses by its own changes (${namesOthers ? "others" : "the same"})`, async (t) => {
    const server = await startInside(t);
    await setRegistration(server, "open");
    const site = await startReceiver(t, { isSecure: true });
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const jwk = { ...createPublicKey(privateKey).export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
    site.answer = ({ path }, response) =>
      response.end(JSON.stringify(path.startsWith("/list") ? minimal.redirect_uris : { keys: [jwk] }));
    const metadata = {
      ...minimal,
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: `${site.origin}/keys`,
      sector_identifier_uri: `${site.origin}/list`,
    };
    const made = await registered(server, metadata);
    let token = made.registration_access_token;
    const change = async (changed: object) => {
      const answer = await server.rest("PUT", `/oauth/v2/register/${made.client_id}`, { token, body: changed });
      token = answer.body.registration_access_token ?? token;
      return answer.status;
    };
    const introspect = async () => {
      const assertion = signAssertion(server, { key, keyId: "one", subject: made.client_id });
      const proof = { client_assertion: assertion, client_assertion_type: assertionType };
      return (await server.form("/oauth/v2/introspect", { token: "any", ...proof })).status;
    };
    assert.equal(await introspect(), 200, "what its registrar named");
    assert.equal(await change({ ...metadata, client_name: "Renamed" }), 200);
    assert.equal(await introspect(), 401, "no administrator answers for a client that changed itself");
    const before = site.connections;
    for (const sector of [metadata.sector_identifier_uri, `${site.origin}/list?other`]) {
      assert.equal(await change({ ...metadata, sector_identifier_uri: sector }), 400);
    }
    const { sector_identifier_uri: _, ...rest } = metadata;
    assert.equal(await change(rest), 200);
    const vouch = async () => {
      const service = "service.application.v2.ApplicationService";
      const { applications } = (await server.connect(`${service}/ListApplications`, {})).body;
      const { applicationId, projectId, etag } = applications.find(
        (one: { oidcConfiguration?: { clientId: string } }) => one.oidcConfiguration?.clientId === made.client_id,
      );
      const oidcConfiguration = { consentRequired: false };
      const answer = await server.connect(`${service}/UpdateApplication`, {
        applicationId,
        projectId,
        etag,
        oidcConfiguration,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    if (!namesOthers) {
      await vouch();
      assert.equal(await introspect(), 200, "an administrator vouches for what the registrar named");
      return;
    }
    assert.equal(await change({ ...rest, jwks_uri: `${site.origin}/other/keys` }), 200);
    assert.equal(await introspect(), 401);
    assert.equal(await change(rest), 200);
    assert.equal(await introspect(), 401);
    await vouch();
    assert.equal(await introspect(), 401, "nor does going back make it the registrar's again");
    assert.equal(site.connections, before);
  });

test("documents of clients are fetched without them too, and what is not one is told in one sentence", async (t) => {
  const inside = await startInside(t);
  const onOwnMachine = await startOidcServer(t, { certificates: testCertificate.cert });
  const site = await startSite(t);
  for (const server of [inside, onOwnMachine]) await permit(server, { allowAnyUrl: true });
  assert.equal(await isTaken(inside, site), false);
  assert.equal(site.receiver.connections, 0);
  assert.equal(await isTaken(onOwnMachine, site), true, "a developer's own clients");

  const told = async (documentAt: (site: Site) => unknown): Promise<string | undefined> => {
    const other = await startSite(t);
    other.publish(documentAt(other));
    const query = new URLSearchParams({ client_id: other.url, response_type: "code", scope: "openid" });
    const page = await (await fetch(`${onOwnMachine.origin}/oauth/v2/authorize?${query}`)).text();
    return /[^<>]*client metadata document[^<>]*/.exec(page)?.[0];
  };
  const sentence = await told(() => "<html>an inner page</html>");
  assert.ok(sentence);
  for (const inner of [["a list"], { client_id: "https://other.example/client.json" }, { secret: "x" }]) {
    assert.equal(await told(() => inner), sentence, JSON.stringify(inner));
  }
  const own = await told((at) => documentOf(at, { grant_types: ["password"] }));
  assert.ok(own && own !== sentence, "what a client says of itself is told in detail");
});
