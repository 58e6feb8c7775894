import type { Call } from "../call/index.ts";
import { createDomainClaims } from "../domain/contact/index.ts";
import { renameLoginNames } from "../domain/login-name/index.ts";
import { refuseEndOfHome } from "../domain/membership/index.ts";
import { createDomainProofs } from "../domain/organization/index.ts";
import type { AuthorizeDeps, FactorSteps } from "../domain/user/index.ts";
import type { Binding } from "./contract/index.ts";
import type { ApiDeps } from "./deps.ts";
import { adminInstanceMethods } from "./v1/admin/instance/instance.ts";
import { adminSetupMethods } from "./v1/admin/organization/create-organization.ts";
import { adminOrganizationDeletionMethods } from "./v1/admin/organization/delete-organization.ts";
import { adminOrganizationMethods } from "./v1/admin/organization/organization.ts";
import { authOrganizationMethods } from "./v1/auth/organization/organization.ts";
import { managementActionMethods } from "./v1/management/action/action.ts";
import { managementFlowMethods } from "./v1/management/action/flow.ts";
import { managementInstanceMethods } from "./v1/management/instance/instance.ts";
import { managementSetupMethods } from "./v1/management/organization/create-organization.ts";
import { managementOrganizationDeletionMethods } from "./v1/management/organization/delete-organization.ts";
import { managementOrganizationMethods } from "./v1/management/organization/organization.ts";
import { managementOrganizationMetadataMethods } from "./v1/management/organization/organization-metadata.ts";
import { systemSetupMethods } from "./v1/system/instance/create-instance.ts";
import { systemInstanceDeletionMethods } from "./v1/system/instance/delete-instance.ts";
import { systemInstanceMethods } from "./v1/system/instance/instance.ts";
import { exportMethods } from "./v2/export/export.ts";
import { instanceDeletionMethods } from "./v2/instance/delete-instance.ts";
import { instanceMethods } from "./v2/instance/instance.ts";
import { instanceDomainMethods } from "./v2/instance/instance-domain.ts";
import { jobMethods } from "./v2/job/job.ts";
import { organizationSetupMethods } from "./v2/organization/create-organization.ts";
import { organizationDeletionMethods } from "./v2/organization/delete-organization.ts";
import { organizationMethods } from "./v2/organization/organization.ts";
import { organizationDomainMethods } from "./v2/organization/organization-domain.ts";
import { organizationMetadataMethods } from "./v2/organization/organization-metadata.ts";
import { searchMethods } from "./v2/search/search.ts";
import { setupLinkMethods } from "./v2/setup-link/setup-link.ts";
import { signInAttemptMethods } from "./v2/sign-in-attempt/sign-in-attempt.ts";
import { statisticsMethods } from "./v2/statistics/statistics.ts";

/**
 * Returns the methods for instances and organizations, for the search over what these hold, for the attempts to sign
 * in, for statistics, for bulk jobs, exports and setup links, and for the scripts that run in them.
 */
export function organizationBindings(deps: ApiDeps & AuthorizeDeps & FactorSteps): Binding[] {
  const requiresDomainProof = async ({ instanceId }: Call): Promise<boolean> =>
    (await deps.settings.get("domain", { instanceId })).settings.requireOrganizationDomainProof;
  const organization = {
    ...deps,
    requiresDomainProof,
    domainProofs: createDomainProofs(deps),
    domainClaims: createDomainClaims(deps),
    renameLoginNames,
  };
  return [
    instanceMethods(deps),
    instanceDomainMethods(deps),
    systemInstanceMethods(deps),
    adminInstanceMethods(deps),
    managementInstanceMethods(deps),
    systemSetupMethods(deps),
    organizationMethods({ ...deps, refuseEndOfHome }),
    organizationSetupMethods(deps),
    managementSetupMethods(organization),
    adminSetupMethods(organization),
    organizationDomainMethods(organization),
    managementOrganizationMethods({ ...organization, refuseEndOfHome }),
    adminOrganizationMethods({ ...organization, refuseEndOfHome }),
    managementOrganizationMetadataMethods(deps),
    managementActionMethods(deps),
    managementFlowMethods(deps),
    organizationMetadataMethods(deps),
    authOrganizationMethods(deps),
    organizationDeletionMethods(deps),
    managementOrganizationDeletionMethods(deps),
    adminOrganizationDeletionMethods(deps),
    instanceDeletionMethods(deps),
    systemInstanceDeletionMethods(deps),
    searchMethods(deps),
    signInAttemptMethods(deps),
    statisticsMethods(deps),
    jobMethods(deps),
    exportMethods(deps),
    setupLinkMethods(deps),
  ];
}
