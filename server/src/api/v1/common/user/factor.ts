import type { MessageInitShape } from "@bufbuild/protobuf";
import { type AuthFactorSchema, AuthFactorState } from "@doorward/api/service/user/v1/authentication_pb";
import type { Call } from "../../../../call/index.ts";
import { type Factor, type FactorDeps, removeFactor } from "../../../../domain/factor/index.ts";
import { listSecondFactors, type SecondFactor } from "../../../../domain/sign-in-method/index.ts";
import { listPasskeys, removeKey } from "../../../../domain/webauthn-key/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

export function methodsOfFactors(deps: FactorDeps) {
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
