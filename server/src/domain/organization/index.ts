export { activateOrganization } from "./activate-organization.ts";
export {
  type AddDomainDeps,
  addOrganizationDomain,
  applyOrganizationDomain,
  type ClaimDomain,
} from "./add-organization-domain.ts";
export { authorizeOrganization } from "./authorize-organization.ts";
export { createOrganization, type NewOrganization } from "./create-organization.ts";
export { deactivateOrganization } from "./deactivate-organization.ts";
export { deleteOrganizationMetadata } from "./delete-organization-metadata.ts";
export { type DomainValidation, generateDomainValidation } from "./generate-domain-validation.ts";
export { getOrganization } from "./get-organization.ts";
export { listOrganizationDomains } from "./list-organization-domains.ts";
export { listOrganizationMetadata } from "./list-organization-metadata.ts";
export { listOrganizations } from "./list-organizations.ts";
export { findOrganization, holdOrganization } from "./organization.store.ts";
export { type Organization, type OrganizationState, organizationAggregate } from "./organization.ts";
export { findOwnerOfDomain } from "./organization-domain.store.ts";
export type { DomainProofs, OrganizationDomain, ValidationType } from "./organization-domain.ts";
export type { OrganizationDomainSearch, OrganizationFilter, OrganizationSearch } from "./organization-search.ts";
export { recordOrganizationEvent } from "./record-organization.ts";
export { removeOrganization } from "./remove-organization.ts";
export { removeOrganizationDomain } from "./remove-organization-domain.ts";
export { setOrganizationMetadata } from "./set-organization-metadata.ts";
export { type SetPrimaryDomainDeps, setPrimaryDomain } from "./set-primary-domain.ts";
export { updateOrganization } from "./update-organization.ts";
export { verifyOrganizationDomain } from "./verify-organization-domain.ts";
