import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { type Call, requireCaller } from "../../../../call/index.ts";
import type { Reader } from "../../../../database/index.ts";
import { verifyEmail, verifyPhone } from "../../../../domain/contact/index.ts";
import { setPassword } from "../../../../domain/password/index.ts";
import { getUser } from "../../../../domain/user-search/index.ts";
import { type Binding, bind, toObjectDetails, toTimestamp, withFields } from "../../../contract/index.ts";
import type { UserDeps } from "../../../v2/user/user.ts";
import { methodsOfUser } from "../../common/user/user.ts";
import { toUserV1 } from "../../common/user/user-message.ts";

export type AuthUserDeps = UserDeps & {
  /** Returns when a user last entered the password; implemented by a later module (`session`). */
  readonly findLastSignIn: (reader: Reader, instanceId: string, userId: string) => Promise<number | undefined>;
};

/** AuthService: what users do with their own account. */
export function authUserMethods(deps: AuthUserDeps): Binding {
  const user = methodsOfUser(deps);
  const byMessage = { by: "message" } as const;
  return bind(AuthService, {
    async getMyUser(call) {
      const userId = me(call);
      const lastLogin = await deps.findLastSignIn(deps.database.read, call.instanceId, userId);
      return {
        user: toUserV1(await getUser(deps, call, { userId }), await deps.originOf(call.instanceId)),
        ...(lastLogin !== undefined && { lastLogin: toTimestamp(lastLogin) }),
      };
    },
    updateMyUserName: (call, { userName }) => user.setUserName(call, me(call), userName),
    getMyProfile: (call) => user.getProfile(call, me(call)),
    updateMyProfile: (call, request) => user.setProfile(call, me(call), request),
    getMyEmail: (call) => user.getEmail(call, me(call)),
    setMyEmail: (call, { email }) => user.setEmail(call, me(call), { address: email, verification: byMessage }),
    async verifyMyEmail(call, { code }) {
      return { details: toObjectDetails(await verifyEmail(deps, call, { userId: me(call), code })) };
    },
    resendMyEmailVerification: (call) => user.resendEmailCode(call, me(call)),
    getMyPhone: (call) => user.getPhone(call, me(call)),
    setMyPhone: (call, { phone }) => user.setPhone(call, me(call), { number: phone, verification: byMessage }),
    async verifyMyPhone(call, { code }) {
      return { details: toObjectDetails(await verifyPhone(deps, call, { userId: me(call), code })) };
    },
    resendMyPhoneVerification: (call) => user.resendPhoneCode(call, me(call)),
    removeMyPhone: (call) => user.removePhone(call, me(call)),
    async updateMyPassword(call, { oldPassword, newPassword }) {
      const details = await withFields({ password: "newPassword", currentPassword: "oldPassword" }, () =>
        setPassword(deps, call, {
          userId: me(call),
          password: { password: newPassword, isChangeRequired: false },
          proof: { by: "current_password", password: oldPassword },
        }),
      );
      return { details: toObjectDetails(details) };
    },
    removeMyAvatar: (call) => user.removeAvatar(call, me(call)),
    listMyMetadata: (call, request) => user.listMetadata(call, me(call), request),
    getMyMetadata: (call, { key }) => user.getMetadata(call, me(call), key),
  });
}

const me = (call: Call): string => requireCaller(call).userId;
