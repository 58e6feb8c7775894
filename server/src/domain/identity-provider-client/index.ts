export { type CreateProviderClientDeps, createProviderClient } from "./create-provider-client.ts";
export { createDiscoveryCache, type DiscoveryCache } from "./discovery.ts";
export type { ExternalIdentity } from "./external-identity.ts";
export {
  type BegunSignIn,
  type CodeFlowClient,
  type ProviderClient,
  type ProviderRefusal,
  ProviderRefused,
  type TokenFlowClient,
} from "./provider-client.ts";
