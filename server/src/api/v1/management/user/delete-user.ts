import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Database } from "../../../../database/index.ts";
import { requireUserOfOrganization } from "../../../../domain/user/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { deletionOfUsers } from "../../../v2/user/delete-user.ts";

/** ManagementService: deletion of users of the organization of the call. */
export function managementDeleteUserMethods(deps: { readonly database: Database }): Binding {
  const { remove } = deletionOfUsers(deps);
  return bind(ManagementService, {
    removeUser: async (call, { id }) => {
      await requireUserOfOrganization(deps.database.read, call, id);
      return { details: toObjectDetails(await remove(call, id)) };
    },
  });
}
