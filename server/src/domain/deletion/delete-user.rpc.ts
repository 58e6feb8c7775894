import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { type Binding, bind, toDetails } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteUser } from "./delete-user.ts";

/** UserService: deleting users. */
export const deleteUserMethods = (deps: { readonly database: Database }): Binding =>
  bind(UserService, {
    deleteUser: async (call, { userId }) => {
      const { details } = await deleteUser(deps, call, { userId });
      return { details: toDetails({ ...details, sequence: details.sequence + 1, changedAt: call.now }) };
    },
  });
