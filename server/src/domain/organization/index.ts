export { activateOrganization } from "./activate-organization.ts";
export {
  type AddDomainDeps,
  addOrganizationDomain,
  applyOrganizationDomain,
  judgeNewDomain,
} from "./add-organization-domain.ts";
export { holdOrganizationFor } from "./authorize-organization.ts";
export { beginDeletion } from "./begin-deletion.ts";
export { createDomainProofs } from "./create-domain-proofs.ts";
export { createOrganization } from "./create-organization.ts";
export { type DeactivateOrganizationDeps, deactivateOrganization } from "./deactivate-organization.ts";
export { deleteOrganizationMetadata } from "./delete-organization-metadata.ts";
export {
  type DomainClaim,
  deleteUnfinishedClaim,
  holdUnfinishedClaim,
  listUnfinishedClaims,
  putUnfinishedClaim,
  shareDomains,
  shareNaming,
  shareNamingIn,
  takeDomainAlone,
  takeDomainsAlone,
  takeNamingAlone,
} from "./domain-claim.store.ts";
export type { DomainClaims } from "./domain-claims.ts";
export { isInNoForeignDomain } from "./foreign-domain.store.ts";
export { generateDomainValidation } from "./generate-domain-validation.ts";
export { getOrganization } from "./get-organization.ts";
export { isAtForeignDomain } from "./is-at-foreign-domain.ts";
export { isLeftToInstance } from "./is-left-to-instance.ts";
export { isOrganizationUnique } from "./is-organization-unique.ts";
export { listOrganizationDomains } from "./list-organization-domains.ts";
export { listOrganizationMetadata } from "./list-organization-metadata.ts";
export { listOrganizationRows } from "./list-organizations.store.ts";
export { listOrganizations } from "./list-organizations.ts";
export { lookUpDomain } from "./look-up-domain.ts";
export {
  findOrganization,
  holdOrganization,
  holdOrganizationToDelete,
  isDeactivatedByInstance,
} from "./organization.store.ts";
export { type Organization, type OrganizationState, organizationAggregate } from "./organization.ts";
export { isBeingDeleted, listDeletions, type OrganizationDeletion } from "./organization-deletion.store.ts";
export { findOrganizationDomain, findOwnerOfDomain, findOwnersOfDomains } from "./organization-domain.store.ts";
export {
  type DomainProofs,
  type OrganizationDomain,
  recordOfDomain,
  type ValidationType,
} from "./organization-domain.ts";
export type { OrganizationDomainFilter, OrganizationFilter, OrganizationSearch } from "./organization-search.ts";
export { recordOrganizationEvent } from "./record-organization.ts";
export type { LockoutRefusal, RefuseLockout } from "./refuse-lockout.ts";
export { removeOrganization } from "./remove-organization.ts";
export { type RemoveDomainDeps, removeOrganizationDomain } from "./remove-organization-domain.ts";
export { setDefaultOrganization } from "./set-default-organization.ts";
export { setOrganizationMetadata } from "./set-organization-metadata.ts";
export { orLeaveNames, type SetPrimaryDomainDeps, setPrimaryDomain } from "./set-primary-domain.ts";
export { takeFromClaimants } from "./take-from-claimants.ts";
export { listUnprovenPrimaryDomains } from "./unproven-domain.store.ts";
export { updateOrganization } from "./update-organization.ts";
export { verifyOrganizationDomain } from "./verify-organization-domain.ts";
