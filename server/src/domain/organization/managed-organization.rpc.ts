import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import {
  type DomainSchema,
  type DomainSearchQuery,
  DomainValidationType,
} from "@doorward/api/service/org/v1/domain_pb";
import type { Call } from "../../call/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPage,
  toTextMethod,
} from "../../contract/index.ts";
import { activateOrganization } from "./activate-organization.ts";
import { addOrganizationDomain } from "./add-organization-domain.ts";
import { type DeactivateOrganizationDeps, deactivateOrganization } from "./deactivate-organization.ts";
import { generateDomainValidation } from "./generate-domain-validation.ts";
import { getOrganization } from "./get-organization.ts";
import { isOrganizationUnique } from "./is-organization-unique.ts";
import { listOrganizationDomains } from "./list-organization-domains.ts";
import { listOrganizations } from "./list-organizations.ts";
import { lookUpDomain } from "./look-up-domain.ts";
import type { OrganizationDomainDeps } from "./organization-domain.rpc.ts";
import type { OrganizationDomain, ValidationType } from "./organization-domain.ts";
import type { OrganizationDomainFilter } from "./organization-search.ts";
import { toOrgFilter, toOrgOrder, toOrgV1 } from "./organization-v1-message.rpc.ts";
import { removeOrganizationDomain } from "./remove-organization-domain.ts";
import { setDefaultOrganization } from "./set-default-organization.ts";
import { type SetPrimaryDomainDeps, setPrimaryDomain } from "./set-primary-domain.ts";
import { updateOrganization } from "./update-organization.ts";
import { verifyOrganizationDomain } from "./verify-organization-domain.ts";

/**
 * The first generation of the API: the organization of the call with its domains, and all organizations for
 * administrators of the instance.
 */
export function managedOrganizationMethods(
  deps: OrganizationDomainDeps & SetPrimaryDomainDeps & DeactivateOrganizationDeps,
): readonly Binding[] {
  const changed = async (call: Call) => ({
    details: toObjectDetails((await getOrganization(deps, call, ofCall(call))).details),
  });
  return [
    bind(ManagementService, {
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
          ...toPage(query, "query"),
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
    }),
    bind(AdminService, {
      getOrgByID: async (call, { id }) => ({ org: toOrgV1(await getOrganization(deps, call, id)) }),
      async listOrgs(call, { query, queries, sortingColumn }) {
        const { organizations, total } = await listOrganizations(deps, call, {
          ...toPage(query, "query"),
          filters: queries.map(toOrgFilter),
          orderBy: toOrgOrder(sortingColumn),
        });
        return { details: toListDetailsV1(total, call.now), sortingColumn, result: organizations.map(toOrgV1) };
      },
      async isOrgUnique(call, { name, domain }) {
        return { isUnique: await isOrganizationUnique(deps, call, { name, domain }) };
      },
      async setDefaultOrg(call, { orgId: organizationId }) {
        return { details: toObjectDetails(await setDefaultOrganization(deps, call, { organizationId })) };
      },
      async getDefaultOrg(call) {
        const page = { offset: 0, limit: 1 };
        const search = { filters: [{ by: "default" }], orderBy: "name", isDescending: false, page } as const;
        const { organizations } = await listOrganizations(deps, call, search);
        return organizations[0] === undefined ? {} : { org: toOrgV1(organizations[0]) };
      },
    }),
  ];
}

const ofCall = ({ organizationId = "" }: Call): string => organizationId;

const validationTypes = {
  none: DomainValidationType.UNSPECIFIED,
  http: DomainValidationType.HTTP,
  dns: DomainValidationType.DNS,
} as const satisfies Record<ValidationType, DomainValidationType>;

// Domains share the sequence of their organization, so they state none of their own.
function toDomainMessage(domain: OrganizationDomain): MessageInitShape<typeof DomainSchema> {
  const { organizationId, isVerified, isPrimary, validationType, createdAt, changedAt } = domain;
  return {
    orgId: organizationId,
    details: toObjectDetails({ sequence: 0, createdAt, changedAt, ownerId: organizationId }),
    domainName: domain.domain,
    isVerified,
    isPrimary,
    validationType: validationTypes[validationType],
  };
}

function toDomainFilter({ query }: DomainSearchQuery, index: number): OrganizationDomainFilter {
  if (query.case === undefined) return refuseFilter(`queries[${index}]`);
  return { method: toTextMethod(query.value.method), domain: query.value.name };
}
