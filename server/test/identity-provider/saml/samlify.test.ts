import assert from "node:assert/strict";
import { createPrivateKey, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { test } from "node:test";
import { toCertificatePem } from "../../../src/base/saml/index.ts";
import { fetch } from "../../support/http/fetch.ts";
import { createSamlPartner } from "../../support/identity-provider/saml-partner.ts";
import { startServer } from "../../support/servers/server.ts";
import { pages } from "../attempts.ts";
import { comeBackWith, failureOf, knowSaml, reported } from "./support.ts";

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
}

const template = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}" Recipient="{Destination}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{IssueInstant}" NotOnOrAfter="{NotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{AssertionID}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="mail" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue xsi:type="xs:string">{Email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`;

test("users sign in at npm's samlify", async (t) => {
  samlify.setSchemaValidator({ validate: async () => "not validated" });
  const server = await startServer(t, { now: Date.now() });
  const ours = await createSamlPartner({ now: () => server.clock.now });
  const privateKey = createPrivateKey(ours.signer.key.export({ type: "pkcs8", format: "pem" }))
    .export({ type: "pkcs8", format: "pem" })
    .toString();
  const settings = {
    entityID: "https://samlify.example",
    privateKey,
    signingCert: toCertificatePem(ours.signer.certificate),
    wantAuthnRequestsSigned: true,
    nameIDFormat: ["urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"],
    loginResponseTemplate: { context: template, attributes: [] },
    ...Object.fromEntries(
      ["singleSignOnService"].map((name) => [
        name,
        ["HTTP-Redirect", "HTTP-POST"].map((binding) => ({
          Binding: `urn:oasis:names:tc:SAML:2.0:bindings:${binding}`,
          Location: "https://samlify.example/sso",
        })),
      ]),
    ),
  };

  /** Signs a user in there with one of its configurations, and returns what the application is told. */
  const through = async (binding: "redirect" | "post", more: object = {}, wantsAssertionsSigned = true) => {
    const idp = samlify.IdentityProvider({ ...settings, ...more });
    const metadataXml = Buffer.from(idp.getMetadata()).toString("base64");
    const idpId = await knowSaml(server, ours, {
      metadataXml,
      binding: binding === "post" ? "SAML_BINDING_POST" : "SAML_BINDING_REDIRECT",
    });
    const metadata = await (await fetch(`${server.origin}/idps/${idpId}/saml/metadata`)).text();
    const sp = samlify.ServiceProvider({ metadata, ...(!wantsAssertionsSigned && { wantMessageSigned: true }) });
    const { body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls: pages } });
    const seen = await ours.read(binding === "post" ? body.formData.fields : body.authUrl);
    const query = binding === "post" ? undefined : new URL(body.authUrl).searchParams;
    const octets = (body.authUrl ?? "").split("?")[1]?.split("&Signature=")[0];
    const request = await idp.parseLoginRequest(
      sp,
      binding,
      query === undefined ? { body: body.formData.fields } : { query: Object.fromEntries(query), octetString: octets },
    );
    assert.equal(request.extract.request.id, seen.id);
    const instant = new Date(server.clock.now).toISOString();
    const id = () => `_${randomBytes(16).toString("hex")}`;
    const replace = (context: string) => {
      const responseId = id();
      const values = {
        ID: responseId,
        AssertionID: id(),
        Issuer: settings.entityID,
        Destination: seen.consumer,
        Audience: seen.issuer,
        InResponseTo: seen.id,
        IssueInstant: instant,
        NotOnOrAfter: new Date(server.clock.now + 300_000).toISOString(),
        NameID: "samlify-person",
        Email: "person@samlify.example",
      };
      return { id: responseId, context: samlify.SamlLib.replaceTagsByValue(context, values) };
    };
    const { context } = await idp.createLoginResponse(sp, request, "post", {}, replace, false);
    const told = await comeBackWith(seen, Buffer.from(context, "base64").toString());
    return told;
  };

  for (const binding of ["redirect", "post"] as const) {
    await t.test(`a signed request by ${binding}, and a signed assertion`, async () => {
      const { idpInformation } = await reported(server, await through(binding));
      assert.deepEqual(
        [idpInformation.userId, idpInformation.rawInformation],
        ["samlify-person", { mail: ["person@samlify.example"] }],
      );
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
});
