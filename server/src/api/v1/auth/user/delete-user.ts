import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { requireCaller } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { deletionOfUsers } from "../../../v2/user/delete-user.ts";

/** AuthService: deletion of the caller's own account. */
export function authDeleteUserMethods(deps: { readonly database: Database }): Binding {
  const { remove } = deletionOfUsers(deps);
  return bind(AuthService, {
    removeMyUser: async (call) => ({ details: toObjectDetails(await remove(call, requireCaller(call).userId)) }),
  });
}
