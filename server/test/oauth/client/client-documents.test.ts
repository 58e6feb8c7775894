import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { createOutbound } from "../../../src/base/outbound/index.ts";
import { createDocumentCache } from "../../../src/oauth/index.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import type { Receiver } from "../../support/http/receiver.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { assertionType, signAssertion } from "../../support/oidc/assertions.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { documentOf, isTaken, permit, start, startSite, toClient } from "./document-site.ts";

enginesInTurn((engine, test) => {
  test("a client whose id is an address signs users in as its document says", async (t) => {
    const server = await start(t, engine);
    const site = await startSite(t);
    assert.equal(await isTaken(server, site), false, "off");
    assert.equal(site.receiver.connections, 0, "nothing is fetched while it is off");
    await permit(server, { allowedUrls: [site.url] });
    const client = toClient(site);
    const tokens = await server.tokens({ client, scope: "openid offline_access" });
    assert.equal(site.receiver.received.length, 1, "both endpoints share what was fetched");
    const introspected = await server.introspect(tokens["access_token"] ?? "", server.client);
    assert.equal(introspected["active"], false, "no other client is in its audience");
    const refreshed = await server.form("/oauth/v2/token", {
      grant_type: "refresh_token",
      refresh_token: tokens["refresh_token"] ?? "",
      client_id: site.url,
    });
    assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));

    site.publish(documentOf(site, { redirect_uris: [`${site.receiver.origin}/elsewhere`] }));
    assert.equal(await isTaken(server, site), true, "what was fetched is believed for a while");
    server.clock.now += 15 * 60_000;
    assert.equal(await isTaken(server, site), false, "and then what the document says now");
    site.publish(documentOf(site));
    server.clock.now += 15 * 60_000;
    assert.equal(await isTaken(server, site), true);

    const { applications } = (await server.connect("service.application.v2.ApplicationService/ListApplications", {}))
      .body as { applications: { applicationId: string; projectId: string; name: string }[] };
    const [application, ...others] = applications.filter(({ name }) => name.startsWith("Notebook"));
    assert.ok(application !== undefined && others.length === 0, "it is an application like others");
    const { applicationId, projectId } = application;
    await server.connect("service.application.v2.ApplicationService/DeactivateApplication", {
      applicationId,
      projectId,
    });
    assert.equal(await isTaken(server, site), false, "and an administrator can switch it off");
    await permit(server, { enabled: false });
  });
});

test("a document says no more than a registration of a stranger may: 32 KiB", async (t) => {
  const server = await start(t);
  const site = await startSite(t);
  await permit(server, { allowedUrls: [site.url] });
  const uris = (count: number) =>
    Array.from({ length: count }, (_, index) => `${site.receiver.origin}/${"x".repeat(970)}${index}`);
  site.publish(documentOf(site, { post_logout_redirect_uris: uris(40) }));
  assert.equal(await isTaken(server, site), false);
  server.clock.now += 15 * 60_000;
  site.publish(documentOf(site, { post_logout_redirect_uris: uris(25) }));
  assert.equal(await isTaken(server, site), true);
});

test("addresses that are not permitted, or not spelled in the one way, are not clients and not fetched", async (t) => {
  const server = await start(t);
  const site = await startSite(t);
  const { origin } = site.receiver;
  await permit(server, { allowedUrls: [`${origin}/other.json`] });
  assert.equal(await isTaken(server, site), false);
  await permit(server, { allowAnyUrl: true });
  for (const url of [
    origin,
    `${origin}/`,
    `${origin}/client.json#x`,
    `${origin}/x/../client.json`,
    `${origin}/./client.json`,
    site.url.replace("https:", "http:"),
    site.url.replace("https:", "HTTPS:"),
    site.url.replace("localhost", "LOCALHOST"),
    site.url.replace("://", "://user@"),
    site.url.replace("localhost", "127.1"),
    `${origin}/client .json`,
  ]) {
    assert.equal(await isTaken(server, { ...site, url }), false, url);
  }
  assert.equal(site.receiver.connections, 0);
  assert.equal(await isTaken(server, site), true);
  const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.equal(body.client_id_metadata_document_supported, true);
  await permit(server, { enabled: true });
  const unlisted = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.equal(unlisted.body.client_id_metadata_document_supported, undefined, "enabled for no address is for nobody");
  const inner = await startOidcServer(t, { certificates: testCertificate.cert, config: { outboundAllow: [] } });
  await permit(inner, { allowAnyUrl: true });
  const { connections } = site.receiver;
  assert.equal(await isTaken(inner, site), false, "an inner address is not reached");
  assert.equal(site.receiver.connections, connections);
});

test("an invalid document does not make a client", async (t) => {
  const server = await start(t);
  await permit(server, { allowAnyUrl: true });
  const bad: readonly [what: string, more: object][] = [
    ["another id", { client_id: "https://other.example/client.json" }],
    ["no id", { client_id: undefined }],
    ["a secret", { client_secret: "x" }],
    ["a method with a secret", { token_endpoint_auth_method: "client_secret_basic" }],
    ["keys elsewhere", { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://app.example/keys" }],
    ["notices of sign-outs elsewhere", { backchannel_logout_uri: "https://victim.example/notices" }],
    ["a method with a key, and none", { token_endpoint_auth_method: "private_key_jwt" }],
    ["no redirect URI", { redirect_uris: [] }],
    ["a redirect URI elsewhere", { redirect_uris: ["https://evil.example/callback"] }],
    ["a redirect URI on another port", { redirect_uris: ["https://localhost:1/callback"] }],
    ["a redirect URI without TLS", { redirect_uris: ["http://app.example/callback"] }],
    ["a name that only looks like this machine", { redirect_uris: ["http://localhost.evil.example/callback"] }],
    ["a scheme of its own", { redirect_uris: ["com.example.app:/callback"] }],
    ["an address after logout elsewhere", { post_logout_redirect_uris: ["https://evil.example/bye"] }],
    ["metadata that are refused", { grant_types: ["password"] }],
  ];
  for (const [what, more] of bad) {
    const site = await startSite(t);
    const good = documentOf(site).redirect_uris;
    // What is wrong stands beside what would be right.
    const uris = (more as { redirect_uris?: string[] }).redirect_uris;
    site.publish(
      documentOf(site, {
        ...more,
        ...(uris !== undefined && uris.length > 0 && { redirect_uris: [...good, ...uris] }),
      }),
    );
    assert.equal(await isTaken(server, site), false, what);
    const { status, body } = await server.form("/oauth/v2/token", {
      grant_type: "authorization_code",
      code: "x",
      redirect_uri: good[0] ?? "",
      client_id: site.url,
    });
    assert.deepEqual([status, body.error], [401, "invalid_client"], what);
  }
  const answers: readonly [what: string, answer: Receiver["answer"]][] = [
    ["an error", (_request, response) => response.writeHead(404).end("inner secret")],
    ["a redirect", (_request, response) => response.writeHead(302, { location: "/client2.json" }).end()],
    ["no JSON", (_request, response) => response.end("<html>")],
    ["a list", (_request, response) => response.end("[]")],
    ["too much", (_request, response) => response.end(JSON.stringify({ x: "x".repeat(200_000) }))],
    ["nothing", (_request, response) => response.socket?.destroy()],
  ];
  for (const [what, answer] of answers) {
    const site = await startSite(t);
    site.receiver.answer = answer;
    assert.equal(await isTaken(server, site), false, what);
    site.publish(documentOf(site));
    assert.equal(await isTaken(server, site), false, `${what}: not asked again at once`);
    server.clock.now += 60_000;
    assert.equal(await isTaken(server, site), true, `${what}: a minute later`);
  }
});

test("a native client listens on any port of the user's machine, and the user consents each time (R1)", async (t) => {
  const server = await start(t);
  await permit(server, { allowAnyUrl: true });
  const site = await startSite(t);
  site.publish(documentOf(site, { redirect_uris: ["http://127.0.0.1/callback", "http://localhost:3118/oauth"] }));
  const taken = [
    "http://127.0.0.1/callback",
    "http://127.0.0.1:49152/callback",
    "http://localhost:3118/oauth",
    "http://localhost:3119/oauth",
  ];
  for (const redirectUri of taken) assert.equal(await isTaken(server, site, redirectUri), true, redirectUri);
  const refused = [
    "http://127.0.0.1:49152/elsewhere",
    "http://127.0.0.2:49152/callback",
    "https://127.0.0.1:49152/callback",
    "http://localhost.evil.example:3118/oauth",
  ];
  for (const redirectUri of refused) assert.equal(await isTaken(server, site, redirectUri), false, redirectUri);
  const client = { ...toClient(site), redirectUri: "http://127.0.0.1:49152/callback" };
  assert.ok((await server.tokens({ client }))["access_token"]);
});

test("a client signs with the keys that its document names (R1)", async (t) => {
  const server = await start(t);
  await permit(server, { allowAnyUrl: true });
  const site = await startSite(t);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" }] };
  const document = documentOf(site, {
    token_endpoint_auth_method: "private_key_jwt",
    jwks_uri: `${site.receiver.origin}/keys`,
  });
  site.receiver.answer = ({ path }, response) =>
    response.writeHead(200).end(JSON.stringify(path === "/keys" ? keys : document));
  const { code, codeVerifier } = await server.signIn({ client: toClient(site) });
  const redeem = (proof: Readonly<Record<string, string>>) =>
    server.form("/oauth/v2/token", {
      grant_type: "authorization_code",
      code,
      code_verifier: codeVerifier,
      redirect_uri: toClient(site).redirectUri,
      ...proof,
    });
  const unproven = await redeem({ client_id: site.url });
  assert.deepEqual([unproven.status, unproven.body.error], [401, "invalid_client"]);
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const proofBy = (key: KeyObject) => ({
    client_assertion_type: assertionType,
    client_assertion: signAssertion(server, {
      key: key.export({ type: "pkcs8", format: "pem" }).toString(),
      keyId: "1",
      subject: site.url,
    }),
  });
  assert.equal((await redeem(proofBy(stranger))).status, 401);
  const redeemed = await redeem(proofBy(privateKey));
  assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
});

test("the page and the log say why a document is refused (R1)", async (t) => {
  const server = await start(t);
  await permit(server, { allowAnyUrl: true });
  const site = await startSite(t);
  site.publish(documentOf(site, { redirect_uris: ["https://evil.example/callback"] }));
  const query = new URLSearchParams({ client_id: site.url, redirect_uri: "https://evil.example/callback" });
  const answer = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /a redirect URI is neither at the origin of the document nor a loopback address/);
  await permit(server, { enabled: false });
  const off = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  assert.match(await off.text(), /client metadata documents at this address are not accepted here/);
});

test("documents are cached for as long as they declare, between ten seconds and fifteen minutes", async (t) => {
  const site = await startSite(t);
  let now = Date.UTC(2027, 0, 15, 12);
  const outbound = createOutbound({ allow: [], allowForStrangers: ["127.0.0.0/8"], trusted: testCertificate.cert });
  const cases: readonly [headers: Readonly<Record<string, string>>, seconds: number][] = [
    [{}, 300],
    [{ "cache-control": "max-age=60" }, 60],
    [{ "cache-control": "public, max-age=86400" }, 900],
    [{ "cache-control": "max-age=0" }, 10],
    [{ "cache-control": "no-store" }, 10],
    [{ expires: new Date(now + 120_000).toUTCString() }, 120],
    [{ expires: "0" }, 10],
    [{ expires: "soon" }, 10],
    [{ "cache-control": "max-age=30", expires: new Date(now + 120_000).toUTCString() }, 30],
  ];
  for (const [headers, seconds] of cases) {
    const started = now;
    const cache = createDocumentCache({ outbound, clock: () => now });
    site.publish(documentOf(site), headers);
    const fetches = async (): Promise<number> => {
      const before = site.receiver.received.length;
      assert.ok(await cache.get("instance", new URL(site.url)));
      return site.receiver.received.length - before;
    };
    assert.equal(await fetches(), 1);
    now += seconds * 1000 - 1;
    assert.equal(await fetches(), 0, JSON.stringify(headers));
    now += 1;
    assert.equal(await fetches(), 1, JSON.stringify(headers));
    now = started;
  }
});

test("one instance fetches twenty documents at once and five a second, and another as many", async (t) => {
  const site = await startSite(t);
  let now = 0;
  const outbound = createOutbound({ allow: [], allowForStrangers: ["127.0.0.0/8"], trusted: testCertificate.cert });
  const cache = createDocumentCache({ outbound, clock: () => now });
  const ask = async (instanceId: string, count: number): Promise<number> => {
    const before = site.receiver.received.length;
    const urls = Array.from({ length: count }, (_, index) => new URL(`${site.url}?${before}-${index}`));
    await Promise.all(urls.map((url) => cache.get(instanceId, url)));
    return site.receiver.received.length - before;
  };
  assert.equal(await ask("one", 30), 20);
  assert.equal(await ask("two", 30), 20);
  now += 1000;
  assert.equal(await ask("one", 30), 5);
  const before = site.receiver.received.length;
  now += 1000;
  await Promise.all(Array.from({ length: 10 }, () => cache.get("one", new URL(site.url))));
  assert.equal(site.receiver.received.length - before, 1, "many who ask for one document share one request");
});

test("addresses that a stranger makes up keep no client that exists from its users", async (t) => {
  const server = await startOidcServer(t, {
    certificates: testCertificate.cert,
    config: { trustedProxies: ["127.0.0.0/8"] },
  });
  const quota = { maxUnusedClients: 60, maxUnusedClientsPerSource: 4 };
  await permit(server, { allowAnyUrl: true }, { dynamicClientRegistration: { enabled: true, ...quota } });
  const [good, other, evil] = [await startSite(t), await startSite(t), await startSite(t)];
  evil.receiver.answer = ({ path }, response) =>
    response.end(JSON.stringify(documentOf(evil, { client_id: `${evil.receiver.origin}${path}` })));
  let made = 0;
  const flood = async (count: number, ...sources: string[]): Promise<number> => {
    let taken = 0;
    for (const source of sources) {
      for (let index = 0; index < count; index++) {
        const url = `${evil.receiver.origin}/client-${made++}.json`;
        if (await isTaken(server, { ...evil, url }, undefined, source)) taken++;
      }
    }
    return taken;
  };
  assert.equal(await isTaken(server, good, undefined, "192.0.2.1"), true);
  server.clock.now += 15 * 60_000;
  assert.equal(await flood(30, "198.51.100.1"), 4, "a source has its part of the unused clients");
  assert.equal(await isTaken(server, other, undefined, "192.0.2.1"), true, "others have theirs, of fetches as well");
  const fetched = evil.receiver.received.length;
  assert.equal(fetched, 10);
  await flood(10, "198.51.100.2", "198.51.100.3", "198.51.100.4");
  assert.ok(evil.receiver.received.length - fetched < 20, "and all of them together what their instance has");
  assert.equal(await isTaken(server, good, undefined, "192.0.2.1"), true, "a client that exists does not depend on it");
  assert.ok(good.receiver.received.length > 1, "what its document says now");
});
