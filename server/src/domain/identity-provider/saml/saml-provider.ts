import { hasInvisible } from "../../../base/names/canonical.ts";
import type { KindRules } from "../provider-kind.ts";
import type { SamlPartner } from "./saml-metadata.ts";

/** How requests are sent; what its metadata offers when unspecified. */
type SamlRequestBinding = "unspecified" | "post" | "redirect" | "artifact";

/** With which requests are signed. SHA-1 in answers is accepted only with `rsa_sha1`. */
type SamlSignatureChoice = "unspecified" | "rsa_sha1" | "rsa_sha256" | "rsa_sha512";

/** Which name identifiers are asked for. */
type SamlNameIdChoice = "unspecified" | "email_address" | "persistent" | "transient";

/** A SAML 2.0 identity provider. */
export interface SamlConfiguration {
  readonly kind: "saml";
  /** Where its metadata is fetched; empty when it was uploaded. */
  readonly metadataUrl: string;
  /** Its metadata as it was uploaded or fetched, packed (`unpackMetadata`). */
  readonly metadata: string;
  /** What that metadata says. */
  readonly partner: SamlPartner;
  /** Our certificate at it: DER in base64. The key is the sealed secret. */
  readonly certificate: string;
  readonly binding: SamlRequestBinding;
  readonly signsRequests: boolean;
  readonly signatureAlgorithm: SamlSignatureChoice;
  readonly nameIdFormat: SamlNameIdChoice;
  /** The attribute that identifies a user whose name identifier is transient. Empty when there is none. */
  readonly transientAttribute: string;
  /** Whether a sign-out here ends the session there as well. */
  readonly isLogoutFederated: boolean;
}

const longestAttribute = 200;

export const samlRules: KindRules<SamlConfiguration> = {
  fields: {
    metadataUrl: "speaker",
    metadata: "manner",
    partner: "speaker",
    certificate: "manner",
    binding: "manner",
    signsRequests: "manner",
    signatureAlgorithm: "manner",
    nameIdFormat: "speaker",
    transientAttribute: "speaker",
    isLogoutFederated: "manner",
  },
  protocol: "saml",
  // Who serves the address of the metadata decides about its keys, as with the keys of an OpenID provider; otherwise
  // the keys in it are all that speaks for the provider.
  speaksAs: ({ metadataUrl, partner, nameIdFormat, transientAttribute }) => ({
    entityId: partner.entityId,
    ...(metadataUrl === "" ? { partner: JSON.stringify(partner) } : { metadataUrl }),
    nameIdFormat,
    transientAttribute,
  }),
  addresses: ({ metadataUrl, partner }) => ({
    ...(metadataUrl !== "" && { metadataUrl }),
    ...Object.fromEntries(
      [...partner.singleSignOn, ...partner.singleLogout]
        .flatMap(({ location, responseLocation }) => [location, responseLocation ?? location])
        .map((location, index) => [`metadataXml[${index}]`, location]),
    ),
  }),
  unfit: ({ binding, transientAttribute }) => [
    // The artifact binding asks for answers in a request of its own, which is not built.
    ...(binding === "artifact" ? ["binding"] : []),
    ...(transientAttribute.length > longestAttribute || hasInvisible(transientAttribute)
      ? ["transientMappingAttributeName"]
      : []),
  ],
  // Our key is never sent anywhere: it stays until it is generated again.
  secretDestination: () => "none",
  recorded: ({ metadata: _, ...configuration }) => configuration,
};
