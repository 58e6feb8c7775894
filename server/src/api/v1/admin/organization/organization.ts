import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import {
  type DeactivateOrganizationDeps,
  getOrganization,
  isOrganizationUnique,
  listOrganizations,
  type SetPrimaryDomainDeps,
  setDefaultOrganization,
} from "../../../../domain/organization/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";
import type { OrganizationDomainDeps } from "../../../v2/organization/organization-domain.ts";
import { toOrgFilter, toOrgOrder, toOrgV1 } from "../../common/organization/organization-message.ts";

/** AdminService: all organizations. */
export const adminOrganizationMethods = (
  deps: OrganizationDomainDeps & SetPrimaryDomainDeps & DeactivateOrganizationDeps,
): Binding =>
  bind(AdminService, {
    getOrgByID: async (call, { id }) => ({ org: toOrgV1(await getOrganization(deps, call, id)) }),
    async listOrgs(call, { query, queries, sortingColumn }) {
      const { organizations, total } = await listOrganizations(deps, call, {
        ...toPageV1(query),
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
  });
