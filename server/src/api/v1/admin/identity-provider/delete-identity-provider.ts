import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { deletionOfProviders } from "../../common/identity-provider/delete-identity-provider.ts";

/** AdminService: deletion of identity providers of the instance. */
export function adminProviderDeletionMethods(deps: { readonly database: Database }): Binding {
  const { remove } = deletionOfProviders(deps);
  return bind(AdminService, {
    deleteProvider: (call, { id }) => remove(call, "", id),
    removeIDP: (call, { idpId }) => remove(call, "", idpId),
  });
}
