export { addCustomDomain } from "./add-custom-domain.ts";
export { addHost } from "./add-host.ts";
export { addTrustedDomain } from "./add-trusted-domain.ts";
export { authorizeInstance, callIn } from "./authorize-instance.ts";
export {
  claimIdentifier,
  claimIdentifiers,
  listGivenIdentifiers,
  requireChoiceOfIdentifier,
} from "./claim-identifier.ts";
export { completeInstanceSetup } from "./complete-instance-setup.ts";
export { createInstance } from "./create-instance.ts";
export { existsDomain } from "./exists-domain.ts";
export { createFindInstanceByHost, type FindInstanceByHost } from "./find-instance-by-host.ts";
export { createFindInstanceById, type FindInstanceById } from "./find-instance-by-id.ts";
export { getInstance, type InstanceWithDomains } from "./get-instance.ts";
export { isIdentifierGiven } from "./identifier.store.ts";
export { findFirstInstance, findInstance, findInstanceOfHost, listInstanceIds } from "./instance.store.ts";
export type { Instance, InstanceDomain } from "./instance.ts";
export {
  findInstanceDomain,
  listHostsOfInstance,
  listReachingHosts,
  listSignInHosts,
} from "./instance-domain.store.ts";
export { createOriginOf, instanceOrigin, type OriginOf, originsOfHost } from "./instance-origin.ts";
export type { InstanceDomainFilter, InstanceDomainSearch, InstanceFilter, InstanceSearch } from "./instance-search.ts";
export { listInstanceDomains } from "./list-instance-domains.ts";
export { listInstances } from "./list-instances.ts";
export { recordInstanceEvent } from "./record-instance.ts";
export { removeCustomDomain } from "./remove-custom-domain.ts";
export { removeInstance } from "./remove-instance.ts";
export { removeTrustedDomain } from "./remove-trusted-domain.ts";
export { resetLimits } from "./reset-limits.ts";
export { setInstanceDefault } from "./set-default.ts";
export { type LimitsInput, setLimits } from "./set-limits.ts";
export { setLimitsOfInstances } from "./set-limits-of-instances.ts";
export { makeHostPrimary, setPrimaryCustomDomain } from "./set-primary-custom-domain.ts";
export { shownSince } from "./shown-since.ts";
export { updateInstance } from "./update-instance.ts";
