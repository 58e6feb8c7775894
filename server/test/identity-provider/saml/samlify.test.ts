import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { test } from "node:test";
import { toCertificatePem } from "../../../src/base/saml/index.ts";
import { pathOf } from "../../saml/support.ts";
import { signedQuery, signOutHere } from "../../saml-partners/support/messages.ts";
import { fetch } from "../../support/http/fetch.ts";
import { createSamlPartner, formField, type SeenRequest } from "../../support/identity-provider/saml-partner.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { startServer } from "../../support/servers/server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { pages } from "../attempts.ts";
import { openOptions } from "../trusted.ts";
import { accountIn } from "./logouts.ts";
import { comeBackWith, failureOf, knowSaml, postResponse, reported } from "./support.ts";

const logout = "https://samlify.example/slo";
const signedLogouts = { wantLogoutRequestSigned: true, wantLogoutResponseSigned: true };

// Its declarations of types bring those of browsers with them, which would hold for the whole workspace.
const require = createRequire(import.meta.url);
const samlify = require("samlify") as Samlify;

interface Samlify {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  IdentityProvider(settings: object): IdentityProvider;
  ServiceProvider(settings: object): object;
  readonly SamlLib: { replaceTagsByValue(template: string, values: object): string };
}

interface IdentityProvider {
  getMetadata(): string;
  parseLoginRequest(sp: object, binding: string, request: object): Promise<{ extract: { request: { id: string } } }>;
  createLoginResponse(
    sp: object,
    request: object,
    binding: "post",
    user: object,
    replace: (template: string) => { id: string; context: string },
    encryptsFirst: boolean,
  ): Promise<{ context: string }>;
  parseLogoutRequest(
    sp: object,
    binding: string,
    request: object,
  ): Promise<{ extract: { nameID: string; sessionIndex: string } }>;
  createLogoutResponse(sp: object, request: object, binding: string, options: object): { context: string };
  createLogoutRequest(sp: object, binding: string, user: object): { id: string; context: string };
  parseLogoutResponse(
    sp: object,
    binding: string,
    request: object,
  ): Promise<{ extract: { response: { inResponseTo: string } } }>;
}

const attributes = Object.entries({ mail: "{Email}", givenName: "Ada", sn: "Lovelace", email_verified: "true" })
  .map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue xsi:type="xs:string">${value}</saml:AttributeValue></saml:Attribute>`,
  )
  .join("");

const template = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}" Recipient="{Destination}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{IssueInstant}" NotOnOrAfter="{NotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{AssertionID}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes}</saml:AttributeStatement></saml:Assertion></samlp:Response>`;

test("users sign in at npm's samlify, and sign out there and here", async (t) => {
  samlify.setSchemaValidator({ validate: async () => "not validated" });
  const server = await startServer(t, { now: Date.now() });
  const ours = await createSamlPartner({ now: () => server.clock.now });
  const privateKey = ours.signer.key.export({ type: "pkcs8", format: "pem" }).toString();
  const serviceAt = (location: string) =>
    ["HTTP-Redirect", "HTTP-POST"].map((binding) => ({
      Binding: `urn:oasis:names:tc:SAML:2.0:bindings:${binding}`,
      Location: location,
    }));
  const settings = {
    entityID: "https://samlify.example",
    privateKey,
    signingCert: toCertificatePem(ours.signer.certificate),
    wantAuthnRequestsSigned: true,
    ...signedLogouts,
    nameIDFormat: ["urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"],
    loginResponseTemplate: { context: template, attributes: [] },
    singleSignOnService: serviceAt("https://samlify.example/sso"),
    singleLogoutService: serviceAt(logout),
  };
  const providerOf = (idp: IdentityProvider, body: object = {}): Promise<string> =>
    knowSaml(server, { metadata: idp.getMetadata() }, body);
  const ourselves = async (idpId: string): Promise<object> => {
    const metadata = await (await fetch(`${server.origin}/idps/${idpId}/saml/metadata`)).text();
    return samlify.ServiceProvider({ metadata, ...signedLogouts });
  };
  /** Answers a request, and returns the document and the session that it names. */
  const answer = async (idp: IdentityProvider, sp: object, request: object, seen: SeenRequest) => {
    const [id, sessionIndex] = [`_${randomUUID()}`, `_${randomUUID()}`];
    const replace = (context: string) => {
      const values = {
        ID: id,
        AssertionID: sessionIndex,
        Issuer: settings.entityID,
        Destination: seen.consumer,
        Audience: seen.issuer,
        InResponseTo: seen.id,
        IssueInstant: new Date(server.clock.now).toISOString(),
        NotOnOrAfter: new Date(server.clock.now + 300_000).toISOString(),
        NameID: "samlify-person",
        Email: "person@samlify.example",
      };
      return { id, context: samlify.SamlLib.replaceTagsByValue(context, values) };
    };
    const { context } = await idp.createLoginResponse(sp, request, "post", {}, replace, false);
    return { document: Buffer.from(context, "base64").toString(), sessionIndex };
  };

  /** Signs a user in there with one of its configurations, and returns what the application is told. */
  const through = async (binding: "redirect" | "post", more: object = {}) => {
    const idp = samlify.IdentityProvider({ ...settings, ...more });
    const idpId = await providerOf(idp, binding === "post" ? { binding: "SAML_BINDING_POST" } : {});
    const sp = await ourselves(idpId);
    const { body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls: pages } });
    const fields = body.formData?.fields;
    const seen = await ours.read(fields ?? body.authUrl);
    const brought = fields === undefined ? signedQuery(body.authUrl) : { body: fields };
    const request = await idp.parseLoginRequest(sp, binding, brought);
    assert.equal(request.extract.request.id, seen.id);
    return comeBackWith(seen, (await answer(idp, sp, request, seen)).document);
  };

  for (const binding of ["redirect", "post"] as const) {
    await t.test(`a signed request by ${binding}, and a signed assertion`, async () => {
      const { idpInformation } = await reported(server, await through(binding));
      const { mail } = idpInformation.rawInformation;
      assert.deepEqual([idpInformation.userId, mail], ["samlify-person", ["person@samlify.example"]]);
    });
  }
  await t.test("an encrypted assertion", async () => {
    const gcm = "http://www.w3.org/2009/xmlenc11#aes256-gcm";
    const oaep = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";
    const more = { isAssertionEncrypted: true, dataEncryptionAlgorithm: gcm, keyEncryptionAlgorithm: oaep };
    const { idpInformation } = await reported(server, await through("redirect", more));
    assert.equal(idpInformation.userId, "samlify-person");
  });
  await t.test("SHA-1 is refused", async () => {
    const told = await through("redirect", { requestSignatureAlgorithm: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" });
    assert.equal(await failureOf(server, told), "token_refused algorithm");
  });

  await t.test("logouts that begin here and there", async () => {
    const idp = samlify.IdentityProvider(settings);
    const providerOptions = { ...openOptions, isAutoCreation: true };
    const idpId = await providerOf(idp, { federatedLogoutEnabled: true, providerOptions });
    await changeSettings(server, "login", { identityProviderIds: [idpId] });
    const sp = await ourselves(idpId);
    const signIn = async () => {
      const browser = new TestBrowser(server);
      const page = await browser.open("/ui/login?account=other");
      const { address } = await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
      const seen = await ours.read(address);
      const request = await idp.parseLoginRequest(sp, "redirect", signedQuery(address));
      const { document, sessionIndex } = await answer(idp, sp, request, seen);
      const fields = { SAMLResponse: formField(document), RelayState: seen.relayState };
      const posted = await postResponse(seen.consumer, fields);
      const home = await browser.open(posted.headers.get("location") ?? "");
      assert.equal(home.address, "/ui/login/signed-in", home.html);
      return { browser, sessionIndex };
    };

    const here = await signIn();
    const away = await signOutHere(here.browser);
    assert.ok(away.address.startsWith(`${logout}?SAMLRequest=`), away.address);
    const brought = signedQuery(away.address);
    const request = await idp.parseLogoutRequest(sp, "redirect", brought);
    assert.deepEqual([request.extract.nameID, request.extract.sessionIndex], ["samlify-person", here.sessionIndex]);
    const { RelayState: relayState } = brought.query;
    const back = idp.createLogoutResponse(sp, request, "redirect", { relayState });
    assert.equal((await here.browser.open(pathOf(back.context))).address, "/ui/logout/done");
    assert.equal(await accountIn(here.browser), "");

    const { browser, sessionIndex } = await signIn();
    assert.notEqual(await accountIn(browser), "");
    // It has the real time.
    server.clock.now = Date.now();
    const asked = idp.createLogoutRequest(sp, "redirect", { logoutNameID: "samlify-person", sessionIndex });
    const end = await browser.open(pathOf(asked.context));
    assert.ok(end.address.startsWith(`${logout}?SAMLResponse=`), end.address);
    const answered = await idp.parseLogoutResponse(sp, "redirect", signedQuery(end.address));
    assert.equal(answered.extract.response.inResponseTo, asked.id);
    assert.equal(await accountIn(browser), "");
  });
});
