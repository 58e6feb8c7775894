import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { generateSamlKeyPair } from "../../../src/base/saml/index.ts";
import { samlMetadata } from "../../support/identity-provider/saml-metadata.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { attemptWith, failureOf, knowSaml, partnerOf, reported } from "./support.ts";

const fingerprintOf = (certificate: string): string =>
  new X509Certificate(Buffer.from(certificate, "base64")).fingerprint256;

const descriptor = /<md:KeyDescriptor[\s\S]*<\/md:KeyDescriptor>/;
const open = "<ds:X509Certificate>";

/** Metadata in which a reader of its text finds one key, and a reader of XML another one or two. */
const forms = {
  attribute: (own: string, shown: string) => shown + own.replace(open, `<ds:X509Certificate Id="c2">`),
  comment: (own: string, shown: string) => `<!-- ${shown} -->${own.replace(open, `${open}<!---->`)}`,
};

eachServer((start) => {
  test("a SAML provider is shown with the keys that sign users in, however its metadata is written", async (t) => {
    const server = await start(t);
    const [own, shown] = [await partnerOf(server), await partnerOf(server)];
    const [ownPrint, shownPrint] = [own, shown].map(({ signer }) => fingerprintOf(signer.certificate));
    for (const [form, write] of Object.entries(forms)) {
      const [key = ""] = descriptor.exec(own.metadata) ?? [];
      const otherKey = key.replace(/(<ds:X509Certificate>)[^<]*/, `$1${shown.signer.certificate}`);
      const idpId = await knowSaml(server, { metadata: own.metadata.replace(descriptor, write(key, otherKey)) });
      const answers = await Promise.all([
        server.rest("GET", `/v2/idps/${idpId}`),
        server.rest("GET", `/admin/v1/idps/templates/${idpId}`),
      ]);
      for (const { body } of answers) {
        const { entityId, signOnUrls, signingCertificates } = body.idp.config.saml.partner;
        assert.deepEqual([entityId, signOnUrls], ["https://saml.example/metadata", ["https://saml.example/sso"]]);
        assert.deepEqual(
          signingCertificates.map(({ fingerprint }: { fingerprint: string }) => fingerprint),
          form === "attribute" ? [shownPrint, ownPrint] : [ownPrint],
          form,
        );
      }
      await reported(server, await attemptWith(server, own, idpId));
      const other = await attemptWith(server, shown, idpId);
      if (form === "attribute") await reported(server, other);
      else assert.equal(await failureOf(server, other), "token_refused signature");
    }
    const { body } = await server.rest("POST", "/admin/v1/idps/templates/_search", { body: {} });
    const listed = body.result.map((one: ShownProvider) => one.config.saml.partner.signingCertificates.length);
    assert.deepEqual(listed.toSorted(), [1, 2]);

    // The name in a certificate is shown without what cannot be seen, and shortened.
    const { certificate } = await generateSamlKeyPair({
      random: (size) => Buffer.alloc(size, 7),
      commonName: `\u202eO=Okta\nCN=${"x".repeat(300)}`,
      notBefore: Date.UTC(2026, 0, 1),
      notAfter: Date.UTC(9999, 11, 31, 23, 59, 59),
    });
    const logout = "https://saml.example/slo";
    const idpId = await knowSaml(server, { metadata: samlMetadata({ certificates: [certificate], logout }) });
    const { partner } = (await server.rest("GET", `/v2/idps/${idpId}`)).body.idp.config.saml;
    const [{ subject, ...facts }] = partner.signingCertificates;
    assert.deepEqual(facts, {
      fingerprint: fingerprintOf(certificate),
      notBefore: "2026-01-01T00:00:00Z",
      notAfter: "9999-12-31T23:59:59Z",
    });
    assert.match(subject, /^CN=\ufffdO=Okta\\0ACN=x+$/);
    assert.equal(subject.length, 200);
    assert.deepEqual([partner.logoutUrls, partner.validUntil], [[logout], undefined]);
  });
});

interface ShownProvider {
  readonly config: { readonly saml: { readonly partner: { readonly signingCertificates: readonly unknown[] } } };
}
