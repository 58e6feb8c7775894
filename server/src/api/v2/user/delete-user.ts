import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { Call } from "../../../call/index.ts";
import type { Database, Details } from "../../../database/index.ts";
import { deleteUser } from "../../../domain/deletion/index.ts";
import { type Binding, bind, toDetails } from "../../contract/index.ts";

/** Deletes a user; the details are those of the deletion. */
export function deletionOfUsers(deps: { readonly database: Database }) {
  const remove = async (call: Call, userId: string): Promise<Details> => {
    const { details } = await deleteUser(deps, call, { userId });
    return { ...details, sequence: details.sequence + 1, changedAt: call.now };
  };
  return { remove };
}

/** UserService: deletion of users. */
export function deleteUserMethods(deps: { readonly database: Database }): Binding {
  const { remove } = deletionOfUsers(deps);
  return bind(UserService, {
    deleteUser: async (call, { userId }) => ({ details: toDetails(await remove(call, userId)) }),
  });
}
