import assert from "node:assert/strict";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { before, test } from "node:test";
import {
  bearerMethod,
  bindings,
  encodeBase64,
  largestMetadata,
  nameIdFormats,
  namespaces,
  readCertificate,
  readMetadata,
  type ServiceProviderRole,
  samlProtocol,
  statusCodes,
  toCertificatePem,
} from "../../../src/base/saml/index.ts";
import { createPartner, isRefused, now } from "./support.ts";

let partner: Awaited<ReturnType<typeof createPartner>>;
let other: typeof partner;
before(async () => {
  [partner, other] = await Promise.all([createPartner(), createPartner()]);
});

const keyDescriptor = (certificates: string[], use = "") =>
  `<md:KeyDescriptor${use}><ds:KeyInfo><ds:X509Data>${certificates.map((each) => `<ds:X509Certificate>\n${each.replaceAll(/.{64}/g, "$&\n")}\n</ds:X509Certificate>`).join("")}</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;

const endpoint = (name: string, binding: string, location: string, more = "") =>
  `<md:${name} Binding="${binding}" Location="${location}" ${more}/>`;

const idp = (inside = "", attributes = `protocolSupportEnumeration="${samlProtocol}"`) =>
  `<md:IDPSSODescriptor ${attributes}>${keyDescriptor([partner.certificate, other.certificate], ` use="signing"`)}${inside}${endpoint("SingleSignOnService", bindings.redirect, "https://idp.example/sso")}${endpoint("SingleSignOnService", bindings.soap, "https://idp.example/soap")}</md:IDPSSODescriptor>`;

const entity = (inside: string, attributes = "") =>
  `<md:EntityDescriptor xmlns:md="${namespaces.md}" xmlns:ds="${namespaces.ds}" entityID="https://idp.example" ${attributes}><!-- ours -->${inside}</md:EntityDescriptor>`;

test("an identity provider is read: addresses, keys, formats", async () => {
  const inside = `${endpoint("SingleLogoutService", bindings.post, "https://idp.example/slo", `ResponseLocation="https://idp.example/slo/done"`)}${endpoint("SingleLogoutService", bindings.soap, "https://idp.example/back")}<md:NameIDFormat>${nameIdFormats.persistent}</md:NameIDFormat>`;
  const document = entity(idp(inside, `WantAuthnRequestsSigned="true" protocolSupportEnumeration="x ${samlProtocol}"`));
  const read = await readMetadata(document, now);
  assert.deepEqual(read, {
    entityId: "https://idp.example",
    validUntil: undefined,
    serviceProvider: undefined,
    identityProvider: {
      // The second certificate certifies the first; its key signs no messages.
      signingCertificates: [partner.certificate],
      encryptionCertificates: [],
      singleLogout: [
        { binding: "post", location: "https://idp.example/slo", responseLocation: "https://idp.example/slo/done" },
        { binding: "soap", location: "https://idp.example/back", responseLocation: undefined },
      ],
      nameIdFormats: [nameIdFormats.persistent],
      singleSignOn: [{ binding: "redirect", location: "https://idp.example/sso", responseLocation: undefined }],
      wantsSignedRequests: true,
    },
  });
  const list = `<md:EntitiesDescriptor xmlns:md="${namespaces.md}">${document}</md:EntitiesDescriptor>`;
  assert.deepEqual(await readMetadata(list, now), read);
});

test("a service provider is read: consumers with their numbers, and keys for both uses", async () => {
  const consumer = (index: number, more = "") =>
    endpoint("AssertionConsumerService", bindings.post, `https://sp.example/${index}`, `index="${index}" ${more}`);
  const role = (inside: string) =>
    entity(
      `<md:SPSSODescriptor AuthnRequestsSigned="1" WantAssertionsSigned="false" protocolSupportEnumeration="${samlProtocol}">${keyDescriptor([partner.certificate])}${inside}</md:SPSSODescriptor>`,
    );
  const { serviceProvider } = await readMetadata(role(consumer(0) + consumer(7, `isDefault="true"`)), now);
  const expected: ServiceProviderRole = {
    signingCertificates: [partner.certificate],
    encryptionCertificates: [partner.certificate],
    singleLogout: [],
    nameIdFormats: [],
    assertionConsumers: [
      {
        binding: "post",
        location: "https://sp.example/0",
        responseLocation: undefined,
        index: 0,
        isDefault: undefined,
      },
      { binding: "post", location: "https://sp.example/7", responseLocation: undefined, index: 7, isDefault: true },
    ],
    signsRequests: true,
    wantsSignedAssertions: false,
  };
  assert.deepEqual(serviceProvider, expected);
  for (const inside of [
    consumer(1) + consumer(1),
    consumer(1).replace(`index="1"`, ""),
    consumer(1).replace(`"1"`, `"x"`),
  ]) {
    await assert.rejects(readMetadata(role(inside), now), isRefused("metadata"));
  }
});

test("metadata is accepted until it expires, wherever it says so", async () => {
  const at = (instant: number) => `validUntil="${new Date(instant).toISOString()}"`;
  const until = await readMetadata(entity(idp(), at(now + 1)), now);
  assert.equal(until.validUntil, now + 1);
  await assert.rejects(readMetadata(entity(idp(), at(now)), now), isRefused("metadata_expired"));
  const role = idp("", `${at(now)} protocolSupportEnumeration="${samlProtocol}"`);
  await assert.rejects(readMetadata(entity(role, at(now + 1)), now), isRefused("metadata_expired"));
});

test("what is not metadata of one usable partner is refused", async () => {
  const documents: Record<string, string> = {
    "another root": "<a/>",
    "no entity id": entity(idp()).replace(`entityID="https://idp.example"`, ""),
    "an entity id with a space": entity(idp()).replace(`entityID="https://idp`, `entityID="https:// idp`),
    "an entity id that is too long": entity(idp()).replace('https://idp.example"', `https://${"x".repeat(1024)}"`),
    "two roles of a kind": entity(idp() + idp()),
    "two partners": `<md:EntitiesDescriptor xmlns:md="${namespaces.md}">${entity("")}${entity("")}</md:EntitiesDescriptor>`,
    "a script as an address": entity(idp(endpoint("SingleLogoutService", bindings.post, "javascript:alert(1)"))),
    "an address with a password": entity(
      idp(endpoint("SingleLogoutService", bindings.post, "https://a:b@idp.example/")),
    ),
    "an address with a fragment": entity(idp(endpoint("SingleLogoutService", bindings.post, "https://idp.example/#a"))),
    "a broken certificate": entity(idp(keyDescriptor(["AAAA"]))),
    "too many certificates": entity(idp(keyDescriptor([partner.certificate]).repeat(10))),
    "too many addresses": entity(
      idp(endpoint("SingleLogoutService", bindings.post, "https://idp.example/").repeat(51)),
    ),
  };
  for (const [what, document] of Object.entries(documents)) {
    await assert.rejects(readMetadata(document, now), isRefused("metadata"), what);
  }
  await assert.rejects(readMetadata(`<!DOCTYPE a>${entity(idp())}`, now), isRefused("forbidden_markup"));
  await assert.rejects(readMetadata(entity(" ".repeat(largestMetadata)), now), isRefused("too_large"));
  const older = await readMetadata(
    entity(idp("", `protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol"`)),
    now,
  );
  assert.equal(older.identityProvider, undefined);
});

test("our certificates are read by others, and hold the key, the name and the time", async () => {
  const certificate = new X509Certificate(toCertificatePem(partner.certificate));
  assert.equal(certificate.subject, "CN=partner.example");
  assert.ok(certificate.verify(certificate.publicKey));
  assert.equal(Date.parse(certificate.validFrom), now);
  assert.ok(readCertificate(partner.certificate).key.equals(partner.publicKey));
  assert.notEqual(certificate.serialNumber, new X509Certificate(toCertificatePem(other.certificate)).serialNumber);
});

test("a certificate is refused when it is broken", () => {
  for (const text of ["", "AAAA", "*", encodeBase64("x".repeat(300))]) {
    assert.throws(() => readCertificate(text), isRefused("metadata"));
  }
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = publicKey.export({ type: "spki", format: "der" });
  assert.throws(() => readCertificate(encodeBase64(key)), isRefused("metadata"));
});

test("names are those of the standard", () => {
  assert.equal(bearerMethod, "urn:oasis:names:tc:SAML:2.0:cm:bearer");
  assert.equal(statusCodes.success, "urn:oasis:names:tc:SAML:2.0:status:Success");
});
