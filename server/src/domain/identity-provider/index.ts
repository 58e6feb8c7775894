export { credentialPermission } from "./answer-for-provider.ts";
export { deleteProvidersOfOrganization, findIdentityProvider } from "./identity-provider.store.ts";
export type { IdentityProvider } from "./identity-provider.ts";
export { listActiveIdentityProviders } from "./list-active-identity-providers.ts";
export { type ProviderConfiguration, type ProviderKind, requestedScopes } from "./provider-kinds.ts";
export { openProviderSecret } from "./provider-secret.ts";
export { removeIdentityProvider } from "./remove-identity-provider.ts";
