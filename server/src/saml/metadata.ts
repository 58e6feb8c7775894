import { toIso } from "../base/clock.ts";
import { bindings, nameIdFormats, samlProtocol, toCertificatePem, writeXml, xml } from "../base/saml/index.ts";
import { samlMetadataLifetime } from "../domain/saml-key/index.ts";
import { endpointPaths, type WebHandler } from "../web/index.ts";
import type { SamlDeps } from "./deps.ts";
import { entityIdOf } from "./entity.ts";

type MetadataDeps = Pick<SamlDeps, "samlKeys">;

/** Creates the metadata endpoint of the identity provider (SAML Metadata §2.4.3). */
export function createMetadataEndpoint({ samlKeys }: MetadataDeps): WebHandler {
  return async ({ call, instance }) => {
    const { origin } = instance;
    const { certificates } = await samlKeys(call);
    const entityId = entityIdOf(origin);
    const endpoint = (name: string, binding: "redirect" | "post", path: string) =>
      xml(`md:${name}`, { Binding: bindings[binding], Location: origin + path });
    const document = xml(
      "md:EntityDescriptor",
      { entityID: entityId, validUntil: toIso(call.now + samlMetadataLifetime), cacheDuration: "PT1H" },
      [
        xml("md:IDPSSODescriptor", { protocolSupportEnumeration: samlProtocol, WantAuthnRequestsSigned: false }, [
          ...certificates.map((certificate) =>
            xml("md:KeyDescriptor", { use: "signing" }, [
              xml("ds:KeyInfo", {}, [xml("ds:X509Data", {}, [xml("ds:X509Certificate", {}, [certificate])])]),
            ]),
          ),
          endpoint("SingleLogoutService", "redirect", endpointPaths.samlLogout),
          endpoint("SingleLogoutService", "post", endpointPaths.samlLogout),
          ...[
            nameIdFormats.emailAddress,
            nameIdFormats.persistent,
            nameIdFormats.transient,
            nameIdFormats.unspecified,
          ].map((format) => xml("md:NameIDFormat", {}, [format])),
          endpoint("SingleSignOnService", "redirect", endpointPaths.samlSignOn),
          endpoint("SingleSignOnService", "post", endpointPaths.samlSignOn),
        ]),
      ],
    );
    return {
      status: 200,
      headers: {
        "content-type": "application/samlmetadata+xml; charset=utf-8",
        "cache-control": "public, max-age=300",
        "x-content-type-options": "nosniff",
      },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n${writeXml(document)}`,
    };
  };
}

/** Creates the endpoint of the certificate that verifies responses, for service providers that read no metadata. */
export function createCertificateEndpoint({ samlKeys }: MetadataDeps): WebHandler {
  return async ({ call }) => {
    const { certificates } = await samlKeys(call);
    return {
      status: 200,
      headers: {
        "content-type": "application/x-pem-file; charset=utf-8",
        "cache-control": "public, max-age=300",
        "content-disposition": 'attachment; filename="saml.pem"',
        "x-content-type-options": "nosniff",
      },
      body: toCertificatePem(certificates[0] ?? ""),
    };
  };
}
