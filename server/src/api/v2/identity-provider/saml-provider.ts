import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ProviderType,
  SAMLBinding,
  SAMLNameIDFormat,
  SAMLSignatureAlgorithm,
} from "@doorward/api/service/idp/v1/provider_pb";
import type { SAMLCertificateSchema, SAMLPartnerSchema } from "@doorward/api/service/idp/v2/idp_pb";
import { describeCertificate } from "../../../base/saml/index.ts";
import {
  type ConfigurationOf,
  type MetadataSource,
  type SamlPartner,
  type SamlSettings,
  unpackMetadata,
} from "../../../domain/identity-provider/index.ts";
import { toTimestamp } from "../../contract/index.ts";
import type { ProviderWords } from "./provider-words.ts";

const wireBindings = {
  unspecified: SAMLBinding.SAML_BINDING_UNSPECIFIED,
  post: SAMLBinding.SAML_BINDING_POST,
  redirect: SAMLBinding.SAML_BINDING_REDIRECT,
  artifact: SAMLBinding.SAML_BINDING_ARTIFACT,
} as const satisfies Record<SamlSettings["binding"], SAMLBinding>;

const wireFormats = {
  unspecified: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_UNSPECIFIED,
  email_address: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_EMAIL_ADDRESS,
  persistent: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT,
  transient: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT,
} as const satisfies Record<SamlSettings["nameIdFormat"], SAMLNameIDFormat>;

const wireAlgorithms = {
  unspecified: SAMLSignatureAlgorithm.SAML_SIGNATURE_UNSPECIFIED,
  rsa_sha1: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA1,
  rsa_sha256: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA256,
  rsa_sha512: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA512,
} as const satisfies Record<SamlSettings["signatureAlgorithm"], SAMLSignatureAlgorithm>;

/** How SAML providers appear in answers. Their requests have methods of their own, because metadata is loaded first. */
export const samlWords: Pick<ProviderWords<ConfigurationOf<"saml">, never>, "kind" | "type" | "toMessage"> = {
  kind: "saml",
  type: ProviderType.SAML,
  toMessage: ({ metadata, metadataUrl, partner, ...configuration }) => ({
    case: "saml",
    value: {
      metadataXml: new Uint8Array(unpackMetadata(metadata)),
      ...(metadataUrl !== "" && { metadataUrl }),
      binding: wireBindings[configuration.binding],
      withSignedRequest: configuration.signsRequests,
      nameIdFormat: wireFormats[configuration.nameIdFormat],
      transientMappingAttributeName: configuration.transientAttribute,
      federatedLogoutEnabled: configuration.isLogoutFederated,
      signatureAlgorithm: wireAlgorithms[configuration.signatureAlgorithm],
      partner: toWirePartner(partner),
    },
  }),
};

// What answers are verified with, so that administrators see that and not what another reader makes of the document.
function toWirePartner(partner: SamlPartner): MessageInitShape<typeof SAMLPartnerSchema> {
  const { entityId, singleSignOn, singleLogout, signingCertificates, validUntil } = partner;
  const logouts = singleLogout.flatMap(({ location, responseLocation = location }) => [location, responseLocation]);
  return {
    entityId,
    signOnUrls: [...new Set(singleSignOn.map(({ location }) => location))],
    logoutUrls: [...new Set(logouts)],
    signingCertificates: signingCertificates.map(toWireCertificate),
    ...(validUntil !== null && { validUntil: toTimestamp(validUntil) }),
  };
}

function toWireCertificate(certificate: string): MessageInitShape<typeof SAMLCertificateSchema> {
  const { fingerprint, subject, notBefore, notAfter } = describeCertificate(certificate);
  return {
    fingerprint,
    subject,
    ...(notBefore !== undefined && { notBefore: toTimestamp(notBefore) }),
    ...(notAfter !== undefined && { notAfter: toTimestamp(notAfter) }),
  };
}

/** Members of the requests that add and change SAML providers; both services have them. */
export interface SamlRequest {
  readonly metadata:
    | { readonly case: "metadataXml"; readonly value: Uint8Array }
    | { readonly case: "metadataUrl"; readonly value: string }
    | { readonly case: undefined };
  readonly binding: SAMLBinding;
  readonly withSignedRequest: boolean;
  readonly nameIdFormat?: SAMLNameIDFormat | undefined;
  readonly transientMappingAttributeName?: string | undefined;
  readonly federatedLogoutEnabled?: boolean | undefined;
  readonly signatureAlgorithm: SAMLSignatureAlgorithm;
}

/** Reads where the metadata comes from; undefined when the request has none. */
export function toMetadataSource({ metadata }: Pick<SamlRequest, "metadata">): MetadataSource | undefined {
  if (metadata.case === undefined || metadata.value.length === 0) return undefined;
  return metadata.case === "metadataXml" ? { document: Buffer.from(metadata.value) } : { url: metadata.value };
}

/** Reads the settings of a request. Numbers that the contract does not have count as unspecified. */
export function toSamlSettings(
  request: SamlRequest,
): Pick<SamlSettings, "binding" | "signsRequests" | "signatureAlgorithm"> & Partial<SamlSettings> {
  const { nameIdFormat, transientMappingAttributeName, federatedLogoutEnabled } = request;
  return {
    binding: nameOf(wireBindings, request.binding) ?? "unspecified",
    signsRequests: request.withSignedRequest,
    signatureAlgorithm: nameOf(wireAlgorithms, request.signatureAlgorithm) ?? "unspecified",
    ...(nameIdFormat !== undefined && { nameIdFormat: nameOf(wireFormats, nameIdFormat) ?? "unspecified" }),
    ...(transientMappingAttributeName !== undefined && { transientAttribute: transientMappingAttributeName }),
    ...(federatedLogoutEnabled !== undefined && { isLogoutFederated: federatedLogoutEnabled }),
  };
}

const nameOf = <Name extends string>(table: Readonly<Record<Name, number>>, wanted: number): Name | undefined =>
  (Object.keys(table) as Name[]).find((name) => table[name] === wanted);
