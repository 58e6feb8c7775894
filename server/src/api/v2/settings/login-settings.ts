import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  LoginLayout as Layout,
  type LoginSettingsSchema,
  MultiFactorType,
  PasskeysType,
  SecondFactorType,
} from "@doorward/api/service/settings/v2/login_pb";
import type { LoginLayout, LoginSettings, MultiFactor, SecondFactor } from "../../../domain/settings/index.ts";
import { toDuration } from "../../contract/index.ts";

const secondFactorTypes = {
  totp: SecondFactorType.OTP,
  u2f: SecondFactorType.U2F,
  otp_email: SecondFactorType.OTP_EMAIL,
  otp_sms: SecondFactorType.OTP_SMS,
  recovery_codes: SecondFactorType.RECOVERY_CODES,
} as const satisfies Record<SecondFactor, SecondFactorType>;

const multiFactorTypes = {
  u2f_with_verification: MultiFactorType.U2F_WITH_VERIFICATION,
} as const satisfies Record<MultiFactor, MultiFactorType>;

const layouts = {
  identifier_first: Layout.IDENTIFIER_FIRST,
  combined: Layout.COMBINED,
} as const satisfies Record<LoginLayout, Layout>;

/** Login settings as a message. */
export function toLoginMessage(settings: LoginSettings): MessageInitShape<typeof LoginSettingsSchema> {
  return {
    allowUsernamePassword: settings.allowLocalAuthentication,
    allowLocalAuthentication: settings.allowLocalAuthentication,
    allowRegister: settings.allowRegister,
    allowExternalIdp: settings.allowExternalIdp,
    forceMfa: settings.forceMfa,
    forceMfaLocalOnly: settings.forceMfaLocalOnly,
    passkeysType: settings.allowPasskeys ? PasskeysType.ALLOWED : PasskeysType.NOT_ALLOWED,
    hidePasswordReset: settings.hidePasswordReset,
    ignoreUnknownUsernames: settings.ignoreUnknownUsernames,
    defaultRedirectUri: settings.defaultRedirectUri,
    passwordCheckLifetime: toDuration(settings.passwordCheckLifetimeSeconds),
    externalLoginCheckLifetime: toDuration(settings.externalLoginCheckLifetimeSeconds),
    mfaInitSkipLifetime: toDuration(settings.mfaInitSkipLifetimeSeconds),
    secondFactorCheckLifetime: toDuration(settings.secondFactorCheckLifetimeSeconds),
    multiFactorCheckLifetime: toDuration(settings.multiFactorCheckLifetimeSeconds),
    secondFactors: settings.secondFactors.map((factor) => secondFactorTypes[factor]),
    multiFactors: settings.multiFactors.map((factor) => multiFactorTypes[factor]),
    allowDomainDiscovery: settings.allowDomainDiscovery,
    disableLoginWithEmail: settings.disableLoginWithEmail,
    disableLoginWithPhone: settings.disableLoginWithPhone,
    layout: layouts[settings.layout],
  };
}
