import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { Call } from "../../call/index.ts";
import { type Binding, bind, toRemovalDetails, toTimestamp } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteOrganization } from "./delete-organization.ts";

/** Deletion of organizations, in every service that offers it. */
export function organizationDeletionMethods(deps: { readonly database: Database }): readonly Binding[] {
  const remove = async (call: Call, organizationId: string) => {
    const { deletedAt } = await deleteOrganization(deps, call, { organizationId });
    return deletedAt === undefined ? {} : { details: toRemovalDetails(deletedAt, organizationId) };
  };
  return [
    bind(OrganizationService, {
      async deleteOrganization(call, request) {
        const { deletedAt } = await deleteOrganization(deps, call, request);
        return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
      },
    }),
    bind(ManagementService, { removeOrg: (call) => remove(call, call.organizationId ?? "") }),
    bind(AdminService, { removeOrg: (call, { orgId }) => remove(call, orgId) }),
  ];
}
