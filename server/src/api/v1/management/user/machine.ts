import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Random } from "../../../../base/random.ts";
import { type Call, requireOrganization } from "../../../../call/index.ts";
import { removeSecret, setSecret } from "../../../../domain/credential/index.ts";
import { createMachine, updateUser } from "../../../../domain/user-management/index.ts";
import { getUser } from "../../../../domain/user-search/index.ts";
import { type Binding, bind, type Handlers, toObjectDetails, withFields } from "../../../contract/index.ts";
import type { UserDeps } from "../../../v2/user/user.ts";
import { fromTokenTypeV1 } from "../../common/user/user-message.ts";
import { inOrganization } from "./in-organization.ts";

/** ManagementService: service accounts and their secrets. */
export function managementMachineMethods(deps: UserDeps & { readonly random: Random }): Binding {
  // A write counts in the user, whose details go into the response.
  const changed = async (call: Call, userId: string) => ({
    details: toObjectDetails((await getUser(deps, call, { userId })).details),
  });
  const ofOneUser: Handlers<typeof ManagementService> = {
    async updateMachine(call, { userId, name, description, accessTokenType }) {
      const machine = { name, description, accessTokenFormat: fromTokenTypeV1(accessTokenType) };
      return { details: toObjectDetails((await updateUser(deps, call, { userId, machine })).details) };
    },
    async generateMachineSecret(call, { userId }) {
      const { clientSecret } = await setSecret(deps, call, { userId });
      const user = await getUser(deps, call, { userId });
      const details = toObjectDetails(user.details);
      return { clientId: user.preferredLoginName, clientSecret: clientSecret.reveal(), details };
    },
    async removeMachineSecret(call, { userId }) {
      await removeSecret(deps, call, { userId });
      return changed(call, userId);
    },
  };
  return bind(ManagementService, {
    async addMachineUser(call, { userId, userName: username, name, description, accessTokenType }) {
      const added = await withFields({ username: "userName" }, () =>
        createMachine(deps, call, {
          organizationId: requireOrganization(call),
          userId,
          username,
          name,
          description,
          accessTokenFormat: fromTokenTypeV1(accessTokenType),
          metadata: [],
        }),
      );
      return { userId: added.userId, details: toObjectDetails(added.details) };
    },
    ...inOrganization(deps, ofOneUser),
  });
}
