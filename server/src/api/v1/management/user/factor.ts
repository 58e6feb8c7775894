import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../../../call/index.ts";
import type { FactorDeps } from "../../../../domain/factor/index.ts";
import { requireUserOfOrganization } from "../../../../domain/user/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { methodsOfFactors } from "../../common/user/factor.ts";

/** ManagementService: factors of users of the organization of the call. */
export function managementFactorMethods(deps: FactorDeps): Binding {
  const { list, passkeys, remove, removeKeyOf } = methodsOfFactors(deps);
  const managed = async (call: Call, userId: string): Promise<string> =>
    (await requireUserOfOrganization(deps.database.read, call, userId)).userId;
  return bind(ManagementService, {
    listHumanAuthFactors: async (call, { userId }) => list(call, await managed(call, userId)),
    removeHumanAuthFactorOTP: async (call, { userId }) => remove(call, await managed(call, userId), "totp"),
    removeHumanAuthFactorOTPSMS: async (call, { userId }) => remove(call, await managed(call, userId), "otp_sms"),
    removeHumanAuthFactorOTPEmail: async (call, { userId }) => remove(call, await managed(call, userId), "otp_email"),
    removeHumanAuthFactorU2F: async (call, { userId, tokenId }) =>
      removeKeyOf(call, await managed(call, userId), tokenId, "u2f"),
    listHumanPasswordless: async (call, { userId }) => passkeys(call, await managed(call, userId)),
    removeHumanPasswordless: async (call, { userId, tokenId }) =>
      removeKeyOf(call, await managed(call, userId), tokenId, "passkey"),
  });
}
