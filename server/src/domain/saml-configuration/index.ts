export {
  changeSamlConfiguration,
  createSamlConfiguration,
  type SamlChanges,
} from "./change-saml-options.ts";
export { findConsumer, hasConsumer } from "./find-consumer.ts";
export { hostsOfPartner } from "./hosts-of-partner.ts";
export {
  fetchMetadata,
  isMetadataValid,
  type MetadataSource,
  nextRefreshOf,
  obtainMetadata,
} from "./read-partner.ts";
export {
  attributesOf,
  defaultSamlOptions,
  type LogoutEndpoint,
  nameIdKindOf,
  type SamlAttribute,
  type SamlAttributeSource,
  type SamlConfiguration,
  type SamlNameId,
  type SamlOptions,
  type SamlPartner,
  scopeOfAssertions,
} from "./saml-configuration.ts";
