import {
  AuthenticationMethodType,
  AuthFactorState,
  AuthFactors,
} from "@doorward/api/service/user/v2/authentication_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import {
  addOtp,
  type Factor,
  type FactorDeps,
  generateRecoveryCodes,
  registerTotp,
  removeFactor,
  verifyTotpRegistration,
} from "../../../domain/factor/index.ts";
import {
  type AuthenticationMethod,
  listAuthenticationMethods,
  listSecondFactors,
  type SecondFactor,
} from "../../../domain/sign-in-method/index.ts";
import { type Binding, bind, refuseFilter, toDetails, toListDetails, toTimestamp } from "../../contract/index.ts";
import { toAuthFactor } from "./auth-factor.ts";

const methodTypes = {
  password: AuthenticationMethodType.PASSWORD,
  passkey: AuthenticationMethodType.PASSKEY,
  totp: AuthenticationMethodType.TOTP,
  u2f: AuthenticationMethodType.U2F,
  otp_sms: AuthenticationMethodType.OTP_SMS,
  otp_email: AuthenticationMethodType.OTP_EMAIL,
  recovery_codes: AuthenticationMethodType.RECOVERY_CODE,
  idp: AuthenticationMethodType.IDP,
} as const satisfies Record<AuthenticationMethod, AuthenticationMethodType>;

/** UserService: factors with typed codes, and what a user can sign in with. */
export const factorMethods = (deps: FactorDeps): Binding =>
  bind(UserService, {
    registerTOTP: async (call, { userId }) => {
      const { details, uri, secret } = await registerTotp(deps, call, { userId });
      return { details: toDetails(details), uri: uri.reveal(), secret: secret.reveal() };
    },
    verifyTOTPRegistration: async (call, { userId, code }) => ({
      details: toDetails(await verifyTotpRegistration(deps, call, { userId, code })),
    }),
    removeTOTP: async (call, { userId }) => ({
      details: toDetails(await removeFactor(deps, call, { userId, kind: "totp" })),
    }),
    addOTPEmail: async (call, { userId }) => ({
      details: toDetails(await addOtp(deps, call, { userId, kind: "otp_email" })),
    }),
    removeOTPEmail: async (call, { userId }) => ({
      details: toDetails(await removeFactor(deps, call, { userId, kind: "otp_email" })),
    }),
    addOTPSMS: async (call, { userId }) => ({
      details: toDetails(await addOtp(deps, call, { userId, kind: "otp_sms" })),
    }),
    removeOTPSMS: async (call, { userId }) => ({
      details: toDetails(await removeFactor(deps, call, { userId, kind: "otp_sms" })),
    }),
    generateRecoveryCodes: async (call, { userId, count }) => {
      const { details, codes } = await generateRecoveryCodes(deps, call, { userId, count });
      return { details: toDetails(details), recoveryCodes: codes.map((code) => code.reveal()) };
    },
    removeRecoveryCodes: async (call, { userId }) => ({
      details: toDetails(await removeFactor(deps, call, { userId, kind: "recovery_codes" })),
    }),
    // Every key has its domain, so `includeWithoutDomain` adds nothing.
    listAuthenticationMethodTypes: async (call, { userId, domainQuery }) => {
      const wanted = { userId, domain: domainQuery?.domain };
      const { methods, invitation } = await listAuthenticationMethods(deps, call, wanted);
      return {
        details: toListDetails(methods.length, call.now),
        authMethodTypes: methods.map((method) => methodTypes[method]),
        ...(invitation !== undefined && {
          invitation: {
            creationDate: toTimestamp(invitation.createdAt),
            expirationDate: toTimestamp(invitation.expiresAt),
            isReturned: invitation.isReturned,
          },
        }),
      };
    },
    listAuthenticationFactors: async (call, { userId, authFactors, states: wantedStates }) => {
      const wanted = { userId, kinds: authFactors.map((each) => kinds[each]), states: wantedStates.map(toState) };
      const found = await listSecondFactors(deps, call, wanted);
      return { result: found.map((factor) => toAuthFactor(factor, states)) };
    },
  });

const kinds: Readonly<Record<AuthFactors, SecondFactor["kind"]>> = {
  [AuthFactors.OTP]: "totp",
  [AuthFactors.OTP_SMS]: "otp_sms",
  [AuthFactors.OTP_EMAIL]: "otp_email",
  [AuthFactors.U2F]: "u2f",
};

/** Converts a state of the filter; removed factors have no rows. */
function toState(state: AuthFactorState): Factor["state"] | "removed" {
  switch (state) {
    case AuthFactorState.NOT_READY:
      return "pending";
    case AuthFactorState.READY:
      return "ready";
    case AuthFactorState.REMOVED:
      return "removed";
    case AuthFactorState.UNSPECIFIED:
      return refuseFilter("states");
    default:
      return state satisfies never;
  }
}

const states = {
  pending: AuthFactorState.NOT_READY,
  ready: AuthFactorState.READY,
} as const satisfies Record<Factor["state"], AuthFactorState>;
