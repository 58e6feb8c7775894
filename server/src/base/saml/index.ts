export type { SamlAlgorithm } from "./algorithms.ts";
export { decodeBase64, encodeBase64 } from "./base64.ts";
export { writeXml, xml } from "./build-xml.ts";
export {
  certificateFingerprint,
  describeCertificate,
  generateSamlKeyPair,
  readCertificate,
  type SamlKeyPair,
  samlKeyPairKind,
  toCertificatePem,
} from "./certificate.ts";
export { decryptElement } from "./decrypt-element.ts";
export { documentLimits } from "./document-limits.ts";
export { encryptElement } from "./encrypt-element.ts";
export {
  type BrowserBinding,
  bearerMethod,
  bindings,
  nameIdFormats,
  namespaces,
  type SamlBinding,
  samlProtocol,
  statusCodes,
} from "./names.ts";
export { readPost, writePost } from "./post-binding.ts";
export {
  largestMetadata,
  readMetadata,
  type SamlEndpoint,
  type ServiceProviderRole,
} from "./read-metadata.ts";
export { readXml } from "./read-xml.ts";
export {
  readRedirect,
  type SamlParameter,
  verifyRedirect,
  writeRedirect,
} from "./redirect-binding.ts";
export { type SamlRefusal, SamlRefused } from "./saml-refused.ts";
export { type SamlSigner, signElement } from "./sign-element.ts";
export { isSigned, type SignatureRules, verifySignature } from "./verify-signature.ts";
export {
  attributeOf,
  childOf,
  childrenOf,
  elementsIn,
  flagOf,
  instantOf,
  isNamed,
  onlyChildOf,
  textIn,
  type XmlElement,
} from "./xml-element.ts";
