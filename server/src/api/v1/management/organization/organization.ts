import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { DomainValidationType } from "@doorward/api/service/org/v1/domain_pb";
import type { Call } from "../../../../call/index.ts";
import {
  activateOrganization,
  addOrganizationDomain,
  type DeactivateOrganizationDeps,
  deactivateOrganization,
  generateDomainValidation,
  getOrganization,
  listOrganizationDomains,
  lookUpDomain,
  removeOrganizationDomain,
  type SetPrimaryDomainDeps,
  setPrimaryDomain,
  updateOrganization,
  verifyOrganizationDomain,
} from "../../../../domain/organization/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";
import type { OrganizationDomainDeps } from "../../../v2/organization/organization-domain.ts";
import { ofCall, toDomainFilter, toDomainMessage } from "../../common/organization/organization.ts";
import { toOrgV1 } from "../../common/organization/organization-message.ts";

/** ManagementService: the organization of the call with its domains. */
export function managementOrganizationMethods(
  deps: OrganizationDomainDeps & SetPrimaryDomainDeps & DeactivateOrganizationDeps,
): Binding {
  const changed = async (call: Call) => ({
    details: toObjectDetails((await getOrganization(deps, call, ofCall(call))).details),
  });
  return bind(ManagementService, {
    getMyOrg: async (call) => ({ org: toOrgV1(await getOrganization(deps, call, ofCall(call))) }),
    async updateOrg(call, { name }) {
      const details = await updateOrganization(deps, call, { organizationId: ofCall(call), name });
      return { details: toObjectDetails(details) };
    },
    deactivateOrg: async (call) => ({
      details: toObjectDetails(await deactivateOrganization(deps, call, ofCall(call))),
    }),
    reactivateOrg: async (call) => ({
      details: toObjectDetails(await activateOrganization(deps, call, ofCall(call))),
    }),
    async getOrgByDomainGlobal(call, { domain }) {
      return { org: toOrgV1(await lookUpDomain(deps, call, domain)) };
    },
    async listOrgDomains(call, { query, queries }) {
      const { domains, total } = await listOrganizationDomains(deps, call, {
        ...toPageV1(query),
        organizationId: ofCall(call),
        filters: queries.map(toDomainFilter),
        orderBy: "domain",
      });
      return { details: toListDetailsV1(total, call.now), result: domains.map(toDomainMessage) };
    },
    async addOrgDomain(call, { domain }) {
      await addOrganizationDomain(deps, call, { organizationId: ofCall(call), domain });
      return changed(call);
    },
    async removeOrgDomain(call, { domain }) {
      await removeOrganizationDomain(deps, call, { organizationId: ofCall(call), domain });
      return changed(call);
    },
    async generateOrgDomainValidation(call, { domain, type }) {
      const proof = type === DomainValidationType.DNS ? "dns" : "http";
      const input = { organizationId: ofCall(call), domain, type: proof } as const;
      const { token, location } = await generateDomainValidation(deps, call, input);
      return { token, url: location };
    },
    async validateOrgDomain(call, { domain }) {
      await verifyOrganizationDomain(deps, call, { organizationId: ofCall(call), domain });
      return changed(call);
    },
    async setPrimaryOrgDomain(call, { domain }) {
      const details = await setPrimaryDomain(deps, call, { organizationId: ofCall(call), domain });
      return { details: toObjectDetails(details) };
    },
  });
}
