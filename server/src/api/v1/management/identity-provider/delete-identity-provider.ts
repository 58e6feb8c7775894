import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { requireOrganization } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { deletionOfProviders } from "../../common/identity-provider/delete-identity-provider.ts";

/** ManagementService: deletion of identity providers of the organization of the call. */
export function managementProviderDeletionMethods(deps: { readonly database: Database }): Binding {
  const { remove } = deletionOfProviders(deps);
  return bind(ManagementService, {
    deleteProvider: (call, { id }) => remove(call, requireOrganization(call), id),
    async removeOrgIDP(call, { idpId }) {
      await remove(call, requireOrganization(call), idpId);
      return {};
    },
  });
}
