import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { type Call, requireOrganization } from "../../call/index.ts";
import { type Binding, bind, toObjectDetails } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteIdentityProvider } from "./delete-identity-provider.ts";

/**
 * Deletion of identity providers, of the instance and of the organization of the call, by the newer and the older
 * method.
 */
export function identityProviderDeletionMethods(deps: { readonly database: Database }): readonly Binding[] {
  const remove = async (call: Call, ownerOrganizationId: string, identityProviderId: string) => ({
    details: toObjectDetails(await deleteIdentityProvider(deps, call, { ownerOrganizationId, identityProviderId })),
  });
  return [
    bind(AdminService, {
      deleteProvider: (call, { id }) => remove(call, "", id),
      removeIDP: (call, { idpId }) => remove(call, "", idpId),
    }),
    bind(ManagementService, {
      deleteProvider: (call, { id }) => remove(call, requireOrganization(call), id),
      async removeOrgIDP(call, { idpId }) {
        await remove(call, requireOrganization(call), idpId);
        return {};
      },
    }),
  ];
}
