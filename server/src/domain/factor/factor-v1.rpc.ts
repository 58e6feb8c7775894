import type { MessageInitShape } from "@bufbuild/protobuf";
import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { type AuthFactorSchema, AuthFactorState } from "@doorward/api/service/user/v1/authentication_pb";
import { type Call, requireCaller } from "../../call/index.ts";
import { type Binding, bind, toObjectDetails } from "../../contract/index.ts";
import { requireUserOfOrganization } from "../user/index.ts";
import { addOtp } from "./add-otp.ts";
import type { Factor } from "./factor.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { listPasskeys } from "./list-passkeys.ts";
import { listSecondFactors, type SecondFactor } from "./list-second-factors.ts";
import { registerTotp } from "./register-totp.ts";
import { removeFactor } from "./remove-factor.ts";
import { removeKey } from "./remove-key.ts";
import { verifyTotpRegistration } from "./verify-totp-registration.ts";

/**
 * The first generation of the API: factors of the caller, and of users of the organization of the call. Adding keys has
 * a file of its own.
 */
export function factorMethodsV1(deps: FactorDeps): readonly Binding[] {
  const { list, passkeys, remove, removeKeyOf } = methodsOfFactors(deps);
  const managed = async (call: Call, userId: string): Promise<string> =>
    (await requireUserOfOrganization(deps.database.read, call, userId)).userId;
  return [
    bind(AuthService, {
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
    }),
    bind(ManagementService, {
      listHumanAuthFactors: async (call, { userId }) => list(call, await managed(call, userId)),
      removeHumanAuthFactorOTP: async (call, { userId }) => remove(call, await managed(call, userId), "totp"),
      removeHumanAuthFactorOTPSMS: async (call, { userId }) => remove(call, await managed(call, userId), "otp_sms"),
      removeHumanAuthFactorOTPEmail: async (call, { userId }) => remove(call, await managed(call, userId), "otp_email"),
      removeHumanAuthFactorU2F: async (call, { userId, tokenId }) =>
        removeKeyOf(call, await managed(call, userId), tokenId, "u2f"),
      listHumanPasswordless: async (call, { userId }) => passkeys(call, await managed(call, userId)),
      removeHumanPasswordless: async (call, { userId, tokenId }) =>
        removeKeyOf(call, await managed(call, userId), tokenId, "passkey"),
    }),
  ];
}

const me = (call: Call): string => requireCaller(call).userId;

function methodsOfFactors(deps: FactorDeps) {
  return {
    list: async (call: Call, userId: string) => {
      const found = await listSecondFactors(deps, call, { userId, kinds: [], states: ["ready", "pending"] });
      return { result: found.map(toMessage) };
    },
    passkeys: async (call: Call, userId: string) => ({
      result: (await listPasskeys(deps, call, { userId })).map(({ credentialId, state, name }) => ({
        id: credentialId,
        state: states[state],
        name,
      })),
    }),
    remove: async (call: Call, userId: string, kind: "totp" | "otp_sms" | "otp_email") => ({
      details: toObjectDetails(await removeFactor(deps, call, { userId, kind })),
    }),
    removeKeyOf: async (call: Call, userId: string, credentialId: string, kind: "u2f" | "passkey") => ({
      details: toObjectDetails(await removeKey(deps, call, { userId, credentialId, kind })),
    }),
  };
}

const states = {
  pending: AuthFactorState.NOT_READY,
  ready: AuthFactorState.READY,
} as const satisfies Record<Factor["state"], AuthFactorState>;

function toMessage(factor: SecondFactor): MessageInitShape<typeof AuthFactorSchema> {
  const state = states[factor.state];
  switch (factor.kind) {
    case "totp":
      return { state, blocked: factor.isBlocked, type: { case: "otp", value: {} } };
    case "otp_sms":
      return { state, blocked: factor.isBlocked, type: { case: "otpSms", value: {} } };
    case "otp_email":
      return { state, blocked: factor.isBlocked, type: { case: "otpEmail", value: {} } };
    case "u2f":
      return { state, type: { case: "u2f", value: { id: factor.credentialId, name: factor.name } } };
    default:
      return factor satisfies never;
  }
}
