import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { type Call, requireCaller } from "../../../../call/index.ts";
import { addOtp, type FactorDeps, registerTotp, verifyTotpRegistration } from "../../../../domain/factor/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { methodsOfFactors } from "../../common/user/factor.ts";

/** AuthService: factors of the caller. Adding keys has a file of its own. */
export function authFactorMethods(deps: FactorDeps): Binding {
  const { list, passkeys, remove, removeKeyOf } = methodsOfFactors(deps);
  return bind(AuthService, {
    listMyAuthFactors: (call) => list(call, me(call)),
    async addMyAuthFactorOTP(call) {
      const { details, uri, secret } = await registerTotp(deps, call, { userId: me(call) });
      return { url: uri.reveal(), secret: secret.reveal(), details: toObjectDetails(details) };
    },
    async verifyMyAuthFactorOTP(call, { code }) {
      return { details: toObjectDetails(await verifyTotpRegistration(deps, call, { userId: me(call), code })) };
    },
    removeMyAuthFactorOTP: (call) => remove(call, me(call), "totp"),
    async addMyAuthFactorOTPSMS(call) {
      return { details: toObjectDetails(await addOtp(deps, call, { userId: me(call), kind: "otp_sms" })) };
    },
    removeMyAuthFactorOTPSMS: (call) => remove(call, me(call), "otp_sms"),
    async addMyAuthFactorOTPEmail(call) {
      return { details: toObjectDetails(await addOtp(deps, call, { userId: me(call), kind: "otp_email" })) };
    },
    removeMyAuthFactorOTPEmail: (call) => remove(call, me(call), "otp_email"),
    removeMyAuthFactorU2F: (call, { tokenId }) => removeKeyOf(call, me(call), tokenId, "u2f"),
    listMyPasswordless: (call) => passkeys(call, me(call)),
    removeMyPasswordless: (call, { tokenId }) => removeKeyOf(call, me(call), tokenId, "passkey"),
  });
}

const me = (call: Call): string => requireCaller(call).userId;
