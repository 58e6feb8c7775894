import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { type Call, requireCaller } from "../../call/index.ts";
import { type Binding, bind, toDetails, toObjectDetails } from "../../contract/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { requireUserOfOrganization } from "../user/index.ts";
import { deleteUser } from "./delete-user.ts";

/** Deletion of users, in every service that offers it. */
export function deleteUserMethods(deps: { readonly database: Database }): readonly Binding[] {
  const remove = async (call: Call, userId: string): Promise<Details> => {
    const { details } = await deleteUser(deps, call, { userId });
    return { ...details, sequence: details.sequence + 1, changedAt: call.now };
  };
  return [
    bind(UserService, {
      deleteUser: async (call, { userId }) => ({ details: toDetails(await remove(call, userId)) }),
    }),
    bind(ManagementService, {
      removeUser: async (call, { id }) => {
        await requireUserOfOrganization(deps.database.read, call, id);
        return { details: toObjectDetails(await remove(call, id)) };
      },
    }),
    bind(AuthService, {
      removeMyUser: async (call) => ({ details: toObjectDetails(await remove(call, requireCaller(call).userId)) }),
    }),
  ];
}
