import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createOutbound } from "../../src/base/outbound/index.ts";
import { createClientLogos } from "../../src/domain/client-logo/index.ts";
import { pngChunk, realPng, richWebp, wholeJpeg } from "../support/data/pictures.ts";
import { fetch } from "../support/http/fetch.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { makeRegistrar, registered, setRegistration } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, type Person } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { redirectUri } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, signedIn } from "./support/sign-in.ts";

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const png = realPng(64, 48);

/** A client that an administrator registered, with its logo on a server of its own. */
interface Arranged {
  readonly site: Receiver;
  readonly ada: Person;
  readonly clientId: string;
  readonly logoUri: string;
}

/** Makes what a client registers; `mode` says whether an administrator or a stranger does. */
async function arrange(t: TestContext, server: TestServer, mode: "token" | "open" = "token"): Promise<Arranged> {
  const site = await startReceiver(t);
  site.answer = (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(png);
  await setRegistration(server, mode);
  const ada = await addPerson(server, { username: "ada" });
  const logoUri = `${site.origin}/logo.png`;
  const clientId = await register(server, logoUri, mode);
  return { site, ada, clientId, logoUri };
}

const metadataOf = (logoUri: string) => ({
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", deviceGrant],
  client_name: "Notebook",
  policy_uri: "https://notebook.example/privacy?a=1&b=2",
  tos_uri: "https://terms.example/",
  logo_uri: logoUri,
});

const register = async (server: TestServer, logoUri: string, mode: "token" | "open" = "token"): Promise<string> =>
  (await registered(server, metadataOf(logoUri), mode === "open" ? null : undefined)).client_id;

const versionOf = (logoUri: string): string => createHash("sha256").update(logoUri).digest("base64url").slice(0, 22);

const pathOf = (clientId: string, version: string): string =>
  `/ui/login/client-logo?${new URLSearchParams({ client: clientId, version })}`;

/** Asks for a logo as a browser does. */
const ask = (server: TestServer, clientId: string, version: string): Promise<Response> =>
  fetch(server.origin + pathOf(clientId, version));

const startOf = (clientId: string, more: Readonly<Record<string, string>> = {}): string =>
  `/oauth/v2/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    ...more,
  })}`;

const showsLogo = ({ html }: ShownPage, clientId: string, version: string): boolean =>
  html.includes(`src="${pathOf(clientId, version).replace("&", "&amp;")}" alt=""`);

function hasLinks({ html, address }: ShownPage): void {
  for (const link of ["https://notebook.example/privacy?a=1&amp;b=2", "https://terms.example/"]) {
    assert.ok(html.includes(`href="${link}" target="_blank" rel="noopener noreferrer nofollow"`), `${address} ${html}`);
  }
  for (const host of ["notebook.example", "terms.example"]) assert.ok(html.includes(`<bdi>${host}</bdi>`), address);
}

/** Types the code of a device that waits. */
async function typeCode(server: TestServer, browser: TestBrowser, clientId: string): Promise<ShownPage> {
  const answer = await fetch(`${server.origin}/oauth/v2/device_authorization`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, scope: "openid" }),
  });
  const { user_code } = (await answer.json()) as { user_code: string };
  return browser.submit(await browser.open("/ui/login/device"), { user_code });
}

serversInTurn((start, test) => {
  test("every page of a sign-in shows logo, terms and privacy policy of an approved client (C8)", async (t) => {
    const server = await start(t);
    const { site, ada, clientId, logoUri } = await arrange(t, server);
    const version = versionOf(logoUri);
    const first = await new TestBrowser(server).open(startOf(clientId));
    hasLinks(first);
    assert.ok(!first.html.includes("client-logo"), "no page waits for a stranger's server");
    const logo = await ask(server, clientId, version);
    assert.equal(logo.status, 200);
    assert.deepEqual(Buffer.from(await logo.arrayBuffer()), png);

    const browser = new TestBrowser(server);
    const name = await browser.open(startOf(clientId));
    const password = await browser.submit(name, { login_name: ada.loginName }, { action: "/ui/login" });
    // Its own organization answers for it, which that of the user did not take up.
    const { token } = await makeRegistrar(server, await addOrganization(server, "Elsewhere"));
    const foreign = (await registered(server, metadataOf(logoUri), token)).client_id;
    const visitor = await signedIn(server, ada);
    const consent = await visitor.open(startOf(foreign));
    assert.ok(consent.address.startsWith("/ui/login/consent?"), consent.address);
    const device = new TestBrowser(server);
    const beforeDevice = await typeCode(server, device, clientId);
    const confirm = await enter({ browser: device, page: beforeDevice }, ada);
    assert.ok(confirm.address.startsWith("/ui/login/device/confirm"), confirm.address);
    const create = await new TestBrowser(server).open(startOf(clientId, { prompt: "create" }));
    assert.ok(create.address.startsWith("/ui/login/register"), create.address);
    assert.ok(showsLogo(consent, foreign, version), consent.html);
    hasLinks(consent);
    for (const page of [name, password, create, beforeDevice, confirm]) {
      hasLinks(page);
      assert.ok(showsLogo(page, clientId, version), `${page.address} ${page.html}`);
      assert.ok(!page.html.includes(logoUri), "the browser asks no stranger for a picture");
    }
    assert.equal(site.received.length, 1, "it is fetched once");
    const { headers, path, body } = site.received[0] ?? assert.fail();
    assert.deepEqual([path, body], ["/logo.png", ""]);
    assert.deepEqual(Object.keys(headers).sort(), ["accept", "accept-encoding", "connection", "host", "user-agent"]);
    assert.ok(!JSON.stringify(headers).includes("ada"));
  });

  test("the logo of a stranger's client is at the consent alone, beside the warning (C8)", async (t) => {
    const server = await start(t);
    const { ada, clientId, logoUri } = await arrange(t, server, "open");
    const version = versionOf(logoUri);
    assert.equal((await ask(server, clientId, version)).status, 200);
    const browser = new TestBrowser(server);
    const name = await browser.open(startOf(clientId));
    const password = await browser.submit(name, { login_name: ada.loginName }, { action: "/ui/login" });
    const confirm = await typeCode(server, await signedIn(server, ada), clientId);
    assert.ok(confirm.address.startsWith("/ui/login/device/confirm"), confirm.address);
    for (const page of [name, password, confirm]) {
      hasLinks(page);
      assert.ok(!page.html.includes("client-logo"), page.address);
    }
    const consent = await browser.submit(password, { password: ada.password }, { action: "/ui/login/password" });
    assert.ok(showsLogo(consent, clientId, version), consent.html);
    hasLinks(consent);
    assert.ok(consent.html.includes("shop.example") && consent.html.includes('class="alert"'), consent.html);
  });

  test("a logo is served as what it is, to its instance, at its version", async (t) => {
    const system = systemUser(t);
    const server = await start(t, { config: system.config });
    await createSecondInstance(server, system.tokenFor(server));
    const { site, clientId, logoUri } = await arrange(t, server);
    const version = versionOf(logoUri);
    const none = await ask(server, clientId, versionOf(`${site.origin}/other.png`));
    assert.equal(none.status, 404);
    assert.equal((await ask(server, "unknown", version)).status, 404);
    assert.equal((await ask(server, clientId, "")).status, 404);
    assert.equal(site.connections, 0, "only what is registered is fetched");
    const there = await server.byHost(secondHost, "GET", pathOf(clientId, version), { token: null });
    assert.equal(there.status, 404);
    assert.equal(site.connections, 0);
    const { status, headers } = await ask(server, clientId, version);
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "image/png");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("content-security-policy"), "default-src 'none'; sandbox");
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    assert.equal(headers.get("cache-control"), "public, max-age=86400, immutable");
    assert.equal(headers.get("set-cookie"), null);
    const stillThere = await server.byHost(secondHost, "GET", pathOf(clientId, version), { token: null });
    assert.equal(stillThere.status, 404);
  });
});

type Answer = Receiver["answer"];
const of =
  (body: Buffer | string): Answer =>
  (_request, response) =>
    response.writeHead(200, { "content-type": "image/png" }).end(body);

/** Starts a server, and registers clients whose logos are answered so. */
async function serveAll(t: TestContext, answers: Readonly<Record<string, Answer>>) {
  const server = await startServer(t);
  const { site } = await arrange(t, server);
  site.answer = (request, response) => answers[decodeURIComponent(request.path.slice(1))]?.(request, response);
  const found: Record<string, Response> = {};
  for (const name of Object.keys(answers)) {
    const uri = `${site.origin}/${encodeURIComponent(name)}`;
    found[name] = await ask(server, await register(server, uri), versionOf(uri));
  }
  return { server, site, found };
}

test("pictures are judged by their bytes, and bare of everything that is not seen", async (t) => {
  const secret = pngChunk("tEXt", Buffer.from("Comment\0GPS 47.3769 N"));
  const { found } = await serveAll(t, {
    png: of(realPng(1024, 1024)),
    "png that says more": of(realPng(9, 9, { extra: [secret] })),
    jpeg: of(wholeJpeg(40, 40)),
    webp: of(richWebp(40, 40)),
  });
  assert.deepEqual(
    Object.values(found).map(({ status, headers }) => `${status} ${headers.get("content-type")}`),
    ["200 image/png", "200 image/png", "200 image/jpeg", "200 image/webp"],
  );
  const bare = Buffer.from((await found["png that says more"]?.arrayBuffer()) ?? new ArrayBuffer(0));
  assert.deepEqual(bare, realPng(9, 9));
});

test("whatever else comes is not a logo, and is not asked for again for ten minutes", async (t) => {
  const big = Buffer.concat([
    realPng(9, 9).subarray(0, -12),
    pngChunk("IDAT", Buffer.alloc(256 * 1024)),
    realPng(9, 9).subarray(-12),
  ]);
  const { server, site, found } = await serveAll(t, {
    svg: of('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    html: of("<html><script>alert(1)</script></html>"),
    gif: of(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")),
    "cut off": of(png.subarray(0, -20)),
    "too many bytes": of(big),
    "too wide": of(realPng(1025, 9)),
    "too high": of(realPng(9, 1025)),
    redirect: (_request, response) => response.writeHead(302, { location: "/png" }).end(),
    missing: (_request, response) => response.writeHead(404).end(png),
    packed: (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(png),
    silent: () => {},
    closed: (_request, response) => response.socket?.destroy(),
  });
  for (const [name, { status, headers }] of Object.entries(found)) {
    assert.equal(status, 404, name);
    assert.equal(headers.get("cache-control"), "no-store", name);
  }
  const uri = `${site.origin}/again`;
  const clientId = await register(server, uri);
  let answer: Buffer | string = "not yet";
  site.answer = (request, response) => of(answer)(request, response);
  const before = site.received.length;
  const status = async (): Promise<number> => (await ask(server, clientId, versionOf(uri))).status;
  assert.deepEqual([await status(), await status(), site.received.length - before], [404, 404, 1]);
  answer = png;
  server.clock.now += 10 * 60_000 - 1;
  assert.equal(await status(), 404);
  server.clock.now += 1;
  assert.equal(await status(), 200);
  assert.equal(site.received.length - before, 2);
  const browser = new TestBrowser(server);
  answer = "gone";
  server.clock.now += 24 * 3_600_000;
  assert.ok(showsLogo(await browser.open(startOf(clientId)), clientId, versionOf(uri)), "until it was looked at again");
  while (site.received.length - before < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let tries = 0; tries < 200 && (await status()) === 200; tries++) await new Promise((r) => setTimeout(r, 5));
  assert.equal(await status(), 404);
});

test("inner addresses are not reached, whatever a client registers", async (t) => {
  const server = await startServer(t, { config: { outboundAllow: [] } });
  const { site, clientId, logoUri } = await arrange(t, server);
  assert.equal((await ask(server, clientId, versionOf(logoUri))).status, 404);
  const numeric = `https://127.0.0.1:${site.port}/logo.png`;
  assert.equal((await ask(server, await register(server, numeric), versionOf(numeric))).status, 404);
  assert.equal(site.connections, 0);
});

test("a changed logo is another file, and the old one is gone", async (t) => {
  const server = await startServer(t);
  const { site, logoUri } = await arrange(t, server);
  const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none", logo_uri: logoUri };
  const made = await registered(server, metadata);
  assert.equal((await ask(server, made.client_id, versionOf(logoUri))).status, 200);
  const logo_uri = `${site.origin}/new.png`;
  const changed = await server.rest("PUT", `/oauth/v2/register/${made.client_id}`, {
    token: made.registration_access_token,
    body: { client_id: made.client_id, ...metadata, logo_uri },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal((await ask(server, made.client_id, versionOf(logoUri))).status, 404);
  assert.equal((await ask(server, made.client_id, versionOf(logo_uri))).status, 200);
});

test("many at once cause one fetch, and an instance has sixty a minute; strangers use up none of the others", async (t) => {
  const site = await startReceiver(t);
  site.answer = of(png);
  const allow = ["127.0.0.0/8"];
  const logos = createClientLogos({ outbound: createOutbound({ allow, allowForStrangers: allow }), clock: () => 0 });
  // Six a source, so that a site with many networks has no more than forty either.
  const find = (instanceId: string, path: string, isApproved = false, source = `198.51.100.${Number(path) % 10}`) =>
    logos.find({ instanceId, url: `${site.origin}/${path}`, isApproved }, source);
  const together = await Promise.all(Array.from({ length: 20 }, () => find("1", "0")));
  assert.ok(together.every((logo) => logo !== undefined));
  assert.equal(site.received.length, 1);
  for (let at = 1; at < 60; at++) assert.ok(await find("1", `${at}`), `${at}`);
  assert.equal(await find("1", "60"), undefined);
  assert.equal(site.received.length, 60);
  for (let at = 0; at < 60; at++) await find("3", `${at}`, false, `2001:db8:9:${at % 6}::/64`);
  assert.equal(site.received.length, 100, "a site has forty");
  assert.ok(await find("1", "0"), "what is known costs nothing");
  assert.ok(await find("1", "60", true), "an approved client");
  assert.ok(await find("2", "0"), "another instance, which shares no entry");
  assert.equal(site.received.length, 102);
});
