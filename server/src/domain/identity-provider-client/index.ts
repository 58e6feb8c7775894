export type { SignClientAssertion } from "./client-assertion.ts";
export { type CreateProviderClientDeps, createProviderClient } from "./create-provider-client.ts";
export { createDiscoveryCache, type DiscoveryCache } from "./discovery.ts";
export type { ExternalIdentity, ExternalSession } from "./external-identity.ts";
export { directoryPagePath } from "./ldap.ts";
export type { BegunSignIn, Credentials, ProviderPrompt } from "./provider-client.ts";
export { type ProviderRefusal, ProviderRefused } from "./provider-refused.ts";
export { samlAddressesOf } from "./saml-addresses.ts";
export {
  type LogoutMessage,
  type LogoutOfProvider,
  readLogoutRequest,
  writeLogoutRequest,
  writeLogoutResponse,
} from "./saml-logout.ts";
export { createSamlMetadataCache, type SamlMetadataCache } from "./saml-metadata-cache.ts";
export { writeOwnMetadata } from "./saml-own-metadata.ts";
