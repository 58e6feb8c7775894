export { addIdentityProvider } from "./add-identity-provider.ts";
export { addIdentityProviderToLogin } from "./add-identity-provider-to-login.ts";
export { answeredPermissions, credentialPermission } from "./answer-for-provider.ts";
export { appleIssuer } from "./apple-provider.ts";
export { requireWriting } from "./authorize-providers.ts";
export { getAnyIdentityProvider, getIdentityProvider } from "./get-identity-provider.ts";
export {
  deleteProvidersOfOrganization,
  findIdentityProvider,
  listUsableProviders,
  listWrittenProviders,
} from "./identity-provider.store.ts";
export type {
  AutoLinking,
  ConfigurationOf,
  IdentityProvider,
  ProviderOptions,
  ProviderSummary,
} from "./identity-provider.ts";
export type { ProviderFilter } from "./identity-provider-list.store.ts";
export { listActiveIdentityProviders, listOfferedProviders } from "./list-active-identity-providers.ts";
export { listIdentityProviders } from "./list-identity-providers.ts";
export { migrateOidcProvider } from "./migrate-oidc-provider.ts";
export { findOfferedProvider, offersProvider } from "./offers-provider.ts";
export type { MappedClaim, ProviderStyling } from "./oidc-provider.ts";
export { etagOfProvider } from "./provider-etag.ts";
export { type ProviderConfiguration, type ProviderKind, protocolOf, requestedScopes } from "./provider-kinds.ts";
export { openProviderSecret } from "./provider-secret.ts";
export { speakerOf } from "./provider-speaker.ts";
export { providerAbsent } from "./record-provider.ts";
export { removeIdentityProvider } from "./remove-identity-provider.ts";
export { removeIdentityProviderFromLogin } from "./remove-identity-provider-from-login.ts";
export { addSamlProvider, type SamlProviderDeps, type SamlSettings } from "./saml/add-saml-provider.ts";
export { regenerateSamlCertificate } from "./saml/regenerate-saml-certificate.ts";
export {
  fetchMetadata,
  type MetadataSource,
  readPartner,
  type SamlPartner,
  unpackMetadata,
} from "./saml/saml-metadata.ts";
export type { SamlConfiguration } from "./saml/saml-provider.ts";
export { updateSamlProvider } from "./saml/update-saml-provider.ts";
export { setProviderState } from "./set-provider-state.ts";
export { stopUnansweredProvider } from "./stop-unanswered-provider.ts";
export { type ProviderDeps, updateIdentityProvider } from "./update-identity-provider.ts";
