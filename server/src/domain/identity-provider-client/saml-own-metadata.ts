import { bindings, nameIdFormats, samlProtocol, writeXml, type XmlElement, xml } from "../../base/saml/index.ts";
import type { IdentityProvider, SamlConfiguration } from "../identity-provider/index.ts";
import { samlAddressesOf } from "./saml-addresses.ts";

const formats = {
  unspecified: [],
  email_address: [nameIdFormats.emailAddress],
  persistent: [nameIdFormats.persistent],
  transient: [nameIdFormats.transient],
} as const satisfies Record<SamlConfiguration["nameIdFormat"], readonly string[]>;

/** Writes what we are for a SAML provider (SAML Metadata §2.4.4). It has no secret, and is public. */
export function writeOwnMetadata(provider: IdentityProvider<SamlConfiguration>, origin: string): string {
  const { configuration, identityProviderId } = provider;
  const { entityId, consumer, logout } = samlAddressesOf(origin, identityProviderId);
  const { signsRequests, partner } = configuration;
  const ciphers = ["256", "192", "128"].map((bits) =>
    xml("md:EncryptionMethod", { Algorithm: `http://www.w3.org/2009/xmlenc11#aes${bits}-gcm` }),
  );
  return writeXml(
    xml("md:EntityDescriptor", { entityID: entityId }, [
      xml(
        "md:SPSSODescriptor",
        {
          protocolSupportEnumeration: samlProtocol,
          AuthnRequestsSigned: signsRequests || partner.wantsSignedRequests,
          WantAssertionsSigned: true,
        },
        [
          keyDescriptor(configuration.certificate, "signing", []),
          keyDescriptor(configuration.certificate, "encryption", ciphers),
          xml("md:SingleLogoutService", { Binding: bindings.redirect, Location: logout }),
          xml("md:SingleLogoutService", { Binding: bindings.post, Location: logout }),
          ...formats[configuration.nameIdFormat].map((format) => xml("md:NameIDFormat", {}, [format])),
          xml("md:AssertionConsumerService", { Binding: bindings.post, Location: consumer, index: 0, isDefault: true }),
        ],
      ),
    ]),
  );
}

const keyDescriptor = (certificate: string, use: string, methods: readonly XmlElement[]): XmlElement =>
  xml("md:KeyDescriptor", { use }, [
    xml("ds:KeyInfo", {}, [xml("ds:X509Data", {}, [xml("ds:X509Certificate", {}, [certificate])])]),
    ...methods,
  ]);
