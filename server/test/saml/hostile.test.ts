import assert from "node:assert/strict";
import { createSign } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  consumer,
  decodeResponse,
  type KeyPair,
  makeKey,
  nodeSaml,
  partnerKey,
  pathOf,
  postedBy,
  register,
  signInAt,
  startNow,
  statusesOf,
} from "./support.ts";

interface Written {
  readonly entityId: string;
  readonly id?: string;
  readonly acs?: string;
  readonly destination?: string;
  readonly issued?: string;
  readonly version?: string;
  readonly attributes?: string;
  readonly content?: string;
}

/** Writes a request by hand. */
function requestOf(server: TestServer, written: Written): string {
  const { entityId, id = `_${Math.round(performance.now() * 1e6)}`, acs = consumer, version = "2.0" } = written;
  const destination = written.destination ?? `${server.origin}/saml/v2/SSO`;
  const issued = written.issued ?? new Date(server.clock.now).toISOString();
  return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="${version}" IssueInstant="${issued}" Destination="${destination}" AssertionConsumerServiceURL="${acs}"${written.attributes ?? ""}><saml:Issuer>${entityId}</saml:Issuer>${written.content ?? ""}</samlp:AuthnRequest>`;
}

const queryOf = (xml: string, further: Readonly<Record<string, string>> = {}): string =>
  `/saml/v2/SSO?${new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString("base64"), ...further })}`;

/** The query with a signature over it. */
function signedQuery(
  xml: string,
  key: KeyPair,
  algorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
): string {
  const signed = `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString("base64"))}&SigAlg=${encodeURIComponent(algorithm)}`;
  const hash = algorithm.endsWith("sha1") ? "sha1" : "sha256";
  const signature = createSign(hash).update(signed).sign(key.privateKey, "base64");
  return `/saml/v2/SSO?${signed}&Signature=${encodeURIComponent(signature)}`;
}

/** The document with a signature after its issuer. */
function signedDocument(xml: string, key: KeyPair): string {
  const signer = new SignedXml({
    privateKey: key.privateKey,
    publicCert: key.certificate,
    canonicalizationAlgorithm: "http://www.w3.org/2001/10/xml-exc-c14n#",
    signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  });
  signer.addReference({
    xpath: "//*[local-name(.)='AuthnRequest']",
    transforms: ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", "http://www.w3.org/2001/10/xml-exc-c14n#"],
    digestAlgorithm: "http://www.w3.org/2001/04/xmlenc#sha256",
  });
  signer.computeSignature(xml, { location: { reference: "//*[local-name(.)='Issuer']", action: "after" } });
  return signer.getSignedXml();
}

const post = async (server: TestServer, xml: string, further: Readonly<Record<string, string>> = {}) => {
  const browser = new TestBrowser(server);
  await browser.open("/ui/login");
  const form = { action: "/saml/v2/SSO", values: [] };
  const page: ShownPage = { ...(await browser.open("/ui/login")), forms: [form] };
  return browser.submit(page, { SAMLRequest: Buffer.from(xml).toString("base64"), ...further });
};

const isLogin = ({ address }: ShownPage): boolean => address.startsWith("/ui/login?");

/** A page of ours that says why, and sends nothing anywhere. */
function assertRefused(page: ShownPage, what: string): void {
  assert.equal(page.status, 400, `${what}: ${page.status} ${page.address}`);
  assert.ok(!page.html.includes('name="SAMLResponse"'), what);
  assert.equal(page.forms.length, 0, what);
}

serversInTurn((start, test, both) => {
  test("no request decides where an assertion goes", async (t) => {
    const server = await startNow(start, t);
    const key = await partnerKey();
    const { entityId } = await register(server, { keys: [key.der], consumers: [consumer, "https://sp.example/two"] });
    const other = await register(server, { consumers: ["https://evil.example/acs"] });
    const open = (path: string) => new TestBrowser(server).open(path);
    assert.ok(isLogin(await open(queryOf(requestOf(server, { entityId })))));
    assert.ok(isLogin(await open(queryOf(requestOf(server, { entityId, acs: "https://sp.example/two" })))));
    const forged = [
      "https://evil.example/acs",
      `${consumer}/../evil`,
      `${consumer}?x=1`,
      `${consumer}#x`,
      "https://sp.example:443/saml/acs",
      "https://SP.example/saml/acs",
      "https://sp.example@evil.example/saml/acs",
      "javascript:alert(1)",
      "",
    ];
    for (const acs of forged) {
      assertRefused(await open(queryOf(requestOf(server, { entityId, acs }))), acs);
      // Nor a request that the service provider signed.
      assertRefused(await open(signedQuery(requestOf(server, { entityId, acs }), key)), `signed ${acs}`);
    }
    assertRefused(
      await open(queryOf(requestOf(server, { entityId, attributes: ' AssertionConsumerServiceIndex="7"' }))),
      "index",
    );
    const artifact = ' ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"';
    assertRefused(await open(queryOf(requestOf(server, { entityId, attributes: artifact }))), "binding");
    assertRefused(await open(queryOf(requestOf(server, { entityId: "https://unknown.example" }))), "issuer");
    assertRefused(await open(queryOf(requestOf(server, { entityId: other.entityId }))), "the address of another");
    assertRefused(
      await open(queryOf(requestOf(server, { entityId, destination: "https://other.example/SSO" }))),
      "destination",
    );
  });

  test("requests without a signature, or with a wrong one, are refused where one is demanded", async (t) => {
    const server = await startNow(start, t);
    const key = await partnerKey();
    const thief = await makeKey();
    const byMetadata = await register(server, { keys: [key.der], isSigned: true });
    const byOption = await register(server, { keys: [key.der] }, { options: { requireSignedRequests: true } });
    const open = (path: string) => new TestBrowser(server).open(path);
    for (const { entityId } of [byMetadata, byOption]) {
      const xml = (): string => requestOf(server, { entityId });
      assertRefused(await open(queryOf(xml())), "unsigned query");
      assertRefused(await post(server, xml()), "unsigned form");
      assertRefused(await open(signedQuery(xml(), thief)), "another key");
      assertRefused(await post(server, signedDocument(xml(), thief)), "another key, with its own KeyInfo");
      const sha1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
      assertRefused(await open(signedQuery(xml(), key, sha1)), "SHA-1");
      const good = signedQuery(xml(), key);
      assertRefused(await open(`${good}&RelayState=added`), "a RelayState that is not signed");
      assertRefused(await open(good.replace("SigAlg=", "Other=")), "no algorithm");
      assert.ok(isLogin(await open(good)));
      assert.ok(isLogin(await post(server, signedDocument(xml(), key))));
    }
    // A signature inside of a message by redirect counts for nothing, beside that of the query or without it.
    const { entityId: twice } = await register(server, { keys: [key.der] });
    const inside = (): string => signedDocument(requestOf(server, { entityId: twice }), key);
    assert.ok(isLogin(await open(signedQuery(inside(), key))), "both");
    assertRefused(await open(queryOf(inside())), "inside only");
    assertRefused(await open(signedQuery(inside(), thief)), "the query by another key");
    // A bad signature is refused where none is needed as well.
    const { entityId } = await register(server, { keys: [key.der] });
    assertRefused(await open(signedQuery(requestOf(server, { entityId }), thief)), "optional");
  });

  test("only what a signature covers is read, however it is wrapped", async (t) => {
    const server = await startNow(start, t);
    const key = await partnerKey();
    const { entityId } = await register(server, {
      keys: [key.der],
      isSigned: true,
      consumers: [consumer, "https://sp.example/debug"],
    });
    const good = signedDocument(requestOf(server, { entityId, id: "_good" }), key);
    assert.ok(isLogin(await post(server, good)), "control");
    const signature = /<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s.exec(good)?.[0] ?? assert.fail();
    const bare = good.replace(signature, "");
    const evil = (id: string, content: string): string =>
      requestOf(server, { entityId, id, acs: "https://sp.example/debug", content });
    const inObject = signature.replace(
      /<\/((?:ds:)?Signature)>$/,
      `<$1Object xmlns="http://www.w3.org/2000/09/xmldsig#">${bare}</$1Object></$1>`,
    );
    const wrapped: Readonly<Record<string, string>> = {
      "signed request inside": evil("_evil", good),
      "signature of another element": evil("_evil", signature + bare),
      "signature with the same id": evil("_good", signature),
      "the same id twice": evil("_good", signature + bare),
      "in an extension": evil("_evil", `<samlp:Extensions>${good}</samlp:Extensions>`),
      "in an object": evil("_evil", inObject),
      "two signatures": good.replace(signature, signature + signature),
      "no reference": good.replace(/URI="#_good"/, 'URI=""'),
      "changed after signing": good.replace(consumer, "https://sp.example/debug"),
      comment: good.replace("</saml:Issuer>", "<!-- -->.evil</saml:Issuer>"),
      "two roots": good + good,
    };
    for (const [what, xml] of Object.entries(wrapped)) assertRefused(await post(server, xml), what);
  });

  both("documents that expand, nest or never end are refused at once", async (t) => {
    const server = await startNow(start, t);
    const { entityId } = await register(server);
    const open = (path: string) => new TestBrowser(server).open(path);
    const entities = `<!DOCTYPE a [<!ENTITY x "x"><!ENTITY y "${"&x;".repeat(50)}"><!ENTITY z "${"&y;".repeat(50)}">]>`;
    const external = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const declarations = (level: number) =>
      Array.from({ length: 31 }, (_, at) => ` xmlns:n${level}x${at}="u"`).join("");
    const opened = Array.from({ length: 12 }, (_, level) => `<a${declarations(level)}>`).join("");
    const prefixes = opened + '<b xmlns:z="v"/>'.repeat(400) + "</a>".repeat(12);
    const named = `<a xmlns:p="${"u".repeat(40_000)}">${'<b p:c="" p:d=""/>'.repeat(400)}</a>`;
    const xml = requestOf(server, { entityId });
    const bombs: Readonly<Record<string, string>> = {
      entities: queryOf(entities + xml.replace(entityId, "&z;")),
      "external entity": queryOf(external + xml.replace(entityId, "&x;")),
      deflate: queryOf(requestOf(server, { entityId, content: " ".repeat(5_000_000) })),
      depth: queryOf(requestOf(server, { entityId, content: `${"<a>".repeat(500)}${"</a>".repeat(500)}` })),
      prefixes: queryOf(requestOf(server, { entityId, content: prefixes })),
      "a long namespace": queryOf(requestOf(server, { entityId, content: named })),
      width: queryOf(requestOf(server, { entityId, content: "<a/>".repeat(20_000) })),
      "not XML": queryOf("SAML"),
      "not deflated": `/saml/v2/SSO?${new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString("base64") })}`,
      "not base64": "/saml/v2/SSO?SAMLRequest=%00",
      nothing: "/saml/v2/SSO",
      twice: `${queryOf(xml)}&SAMLRequest=x`,
      "a response": `/saml/v2/SSO?${new URLSearchParams({ SAMLResponse: deflateRawSync(xml).toString("base64") })}`,
      "both of them": `${queryOf(xml)}&SAMLResponse=x`,
    };
    for (const [what, path] of Object.entries(bombs)) {
      const began = performance.now();
      assertRefused(await open(path), what);
      assert.ok(performance.now() - began < 2_000, what);
    }
  });

  test("the RelayState is returned as text, and has a limit", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId } = await register(server);
    const relayState = `"><script>alert(1)</script>\r\nset-cookie: a=b https://evil.example`;
    const path = queryOf(requestOf(server, { entityId }), { RelayState: relayState });
    const { page } = await signInAt(server, server.origin + path, ada);
    assert.equal(postedBy(page).fields["RelayState"], relayState);
    assert.ok(!page.html.includes("<script>alert(1)"));
    assert.equal(page.headers.get("set-cookie")?.includes("a=b") ?? false, false);
    const long = queryOf(requestOf(server, { entityId }), { RelayState: "x".repeat(1025) });
    assertRefused(await new TestBrowser(server).open(long), "long RelayState");
  });

  test("what is wrong with a request of a known service provider is its status, with the ID as text", async (t) => {
    const server = await startNow(start, t);
    const { entityId } = await register(server);
    const open = (written: Partial<Written>) =>
      new TestBrowser(server).open(queryOf(requestOf(server, { entityId, ...written })));
    const statuses = async (written: Partial<Written>) =>
      statusesOf(decodeResponse(postedBy(await open(written)).fields));
    assert.deepEqual(await statuses({ version: "1.1" }), ["VersionMismatch", "RequestVersionTooLow"]);
    assert.deepEqual(await statuses({ version: "3.0" }), ["VersionMismatch", "RequestVersionTooHigh"]);
    const subject = "<saml:Subject><saml:NameID>bob</saml:NameID></saml:Subject>";
    assert.deepEqual(await statuses({ content: subject }), ["Requester", "RequestUnsupported"]);
    for (const id of ["", "1a", "a b", "&lt;a&gt;", "$(x)", "x".repeat(300)])
      assertRefused(await open({ id }), `ID ${id}`);
    for (const issued of ["", "now", "2020-01-01T00:00:00Z", new Date(server.clock.now + 600_000).toISOString()]) {
      assertRefused(await open({ issued }), `issued ${issued}`);
    }
  });

  test("a request by a form from another site is answered with the sessions of the browser", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId, { authnRequestBinding: "HTTP-POST", skipRequestCompression: true });
    const { browser } = await signInAt(server, server.origin + queryOf(requestOf(server, { entityId })), ada);
    const form = await sp.getAuthorizeFormAsync("state");
    const message = /name="SAMLRequest" value="([^"]*)"/.exec(form)?.[1] ?? assert.fail();
    // The browser withholds its cookie from the other site, and sends it from a page of ours.
    const stranger = new TestBrowser(server);
    const sent = await stranger.submit(
      { ...(await stranger.open("/saml/v2/certificate")), forms: [{ action: "/saml/v2/SSO", values: [] }] },
      { SAMLRequest: message, RelayState: "state" },
      { headers: { origin: "https://sp.example", "sec-fetch-site": "cross-site" } },
    );
    assert.equal(stranger.cookies.size, 0);
    assert.equal(pathOf(sent.forms[0]?.action ?? ""), "/saml/v2/SSO");
    const page = await browser.submit(sent, {}, { action: "/saml/v2/SSO" });
    const { fields } = postedBy(page);
    assert.equal(fields["RelayState"], "state");
    assert.equal((await sp.validatePostResponseAsync(fields)).profile?.nameID, ada.loginName);
  });
});
