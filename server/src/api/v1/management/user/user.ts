import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { SendHumanResetPasswordNotificationRequest_Type as Medium } from "@doorward/api/service/management/v1/user_authentication_pb";
import type { Call } from "../../../../call/index.ts";
import type { Verification } from "../../../../domain/contact/index.ts";
import { requestPasswordReset, setPassword } from "../../../../domain/password/index.ts";
import { changeUserState, deleteUserMetadata, setUserMetadata, type UserMove } from "../../../../domain/user/index.ts";
import { getUser, listUsers } from "../../../../domain/user-search/index.ts";
import {
  type Binding,
  bind,
  type Handlers,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
} from "../../../contract/index.ts";
import type { UserDeps } from "../../../v2/user/user.ts";
import { sortColumns } from "../../../v2/user/user-search.ts";
import { methodsOfUser } from "../../common/user/user.ts";
import { toUserFilterV1 } from "../../common/user/user-filter.ts";
import { toUserV1 } from "../../common/user/user-message.ts";
import { inOrganization } from "./in-organization.ts";

/** ManagementService: existing users. Lists are of the organization of the call. */
export function managementUserMethods(deps: UserDeps): Binding {
  const user = methodsOfUser(deps);
  const move = async (call: Call, userId: string, to: UserMove) => ({
    details: toObjectDetails(await changeUserState(deps, call, { userId, move: to })),
  });
  const changed = async (call: Call, userId: string) => ({
    details: toObjectDetails((await getUser(deps, call, { userId })).details),
  });
  const listed: Handlers<typeof ManagementService> = {
    async listUsers(call, { query, sortingColumn, queries }) {
      const organization = { by: "organization", organizationId: call.organizationId ?? "" } as const;
      const { users, total } = await listUsers(deps, call, {
        ...toPageV1(query),
        sortBy: sortColumns[sortingColumn] ?? refuseFilter("sortingColumn"),
        filters: [organization, ...queries.map(toUserFilterV1)],
      });
      const origin = await deps.originOf(call.instanceId);
      const result = users.map((user) => toUserV1(user, origin));
      return { details: toListDetailsV1(total, call.now), sortingColumn, result };
    },
  };
  const ofOneUser: Handlers<typeof ManagementService> = {
    async getUserByID(call, { id: userId }) {
      return { user: toUserV1(await getUser(deps, call, { userId }), await deps.originOf(call.instanceId)) };
    },
    deactivateUser: (call, { id }) => move(call, id, "deactivate"),
    reactivateUser: (call, { id }) => move(call, id, "reactivate"),
    lockUser: (call, { id }) => move(call, id, "lock"),
    unlockUser: (call, { id }) => move(call, id, "unlock"),
    updateUserName: (call, { userId, userName }) => user.setUserName(call, userId, userName),
    getHumanProfile: (call, { userId }) => user.getProfile(call, userId),
    updateHumanProfile: (call, request) => user.setProfile(call, request.userId, request),
    getHumanEmail: (call, { userId }) => user.getEmail(call, userId),
    updateHumanEmail: (call, { userId, email, isEmailVerified }) =>
      user.setEmail(call, userId, { address: email, verification: toVerification(isEmailVerified) }),
    resendHumanEmailVerification: (call, { userId }) => user.resendEmailCode(call, userId),
    getHumanPhone: (call, { userId }) => user.getPhone(call, userId),
    updateHumanPhone: (call, { userId, phone, isPhoneVerified }) =>
      user.setPhone(call, userId, { number: phone, verification: toVerification(isPhoneVerified) }),
    removeHumanPhone: (call, { userId }) => user.removePhone(call, userId),
    resendHumanPhoneVerification: (call, { userId }) => user.resendPhoneCode(call, userId),
    async setHumanPassword(call, { userId, password, noChangeRequired }) {
      const details = await setPassword(deps, call, {
        userId,
        password: { password, isChangeRequired: !noChangeRequired },
        proof: { by: "permission" },
      });
      return { details: toObjectDetails(details) };
    },
    removeHumanAvatar: (call, { userId }) => user.removeAvatar(call, userId),
    async sendHumanResetPasswordNotification(call, { userId, type }) {
      const channel = type === Medium.SMS ? "sms" : "email";
      const delivery = { by: "message" } as const;
      const { details } = await requestPasswordReset(deps, call, { userId, channel, delivery });
      return { details: toObjectDetails(details) };
    },
    listUserMetadata: (call, request) => user.listMetadata(call, request.id, request),
    getUserMetadata: (call, { id, key }) => user.getMetadata(call, id, key),
    async setUserMetadata(call, { id: userId, key, value }) {
      await setUserMetadata(deps, call, { userId, metadata: [{ key, value }] });
      return { id: userId, ...(await changed(call, userId)) };
    },
    async bulkSetUserMetadata(call, { id: userId, metadata }) {
      await setUserMetadata(deps, call, { userId, metadata });
      return changed(call, userId);
    },
    async removeUserMetadata(call, { id: userId, key }) {
      await deleteUserMetadata(deps, call, { userId, keys: [key] });
      return changed(call, userId);
    },
    async bulkRemoveUserMetadata(call, { id: userId, keys }) {
      await deleteUserMetadata(deps, call, { userId, keys });
      return changed(call, userId);
    },
  };
  return bind(ManagementService, { ...listed, ...inOrganization(deps, ofOneUser) });
}

const toVerification = (isVerified: boolean): Verification => (isVerified ? { by: "trust" } : { by: "message" });
