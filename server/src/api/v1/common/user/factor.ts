import { AuthFactorState } from "@doorward/api/service/user/v1/authentication_pb";
import type { Call } from "../../../../call/index.ts";
import { type Factor, type FactorDeps, removeFactor } from "../../../../domain/factor/index.ts";
import { listSecondFactors } from "../../../../domain/sign-in-method/index.ts";
import { listPasskeys, removeKey } from "../../../../domain/webauthn-key/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import { toAuthFactor } from "../../../v2/user/auth-factor.ts";

export function methodsOfFactors(deps: FactorDeps) {
  return {
    list: async (call: Call, userId: string) => {
      const found = await listSecondFactors(deps, call, { userId, kinds: [], states: ["ready", "pending"] });
      return { result: found.map((factor) => toAuthFactor(factor, states)) };
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
