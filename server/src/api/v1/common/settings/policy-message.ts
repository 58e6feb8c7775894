import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type DomainPolicySchema,
  LoginLayout as Layout,
  type LockoutPolicySchema,
  type LoginPolicySchema,
  MultiFactorType,
  type NotificationPolicySchema,
  type PasswordAgePolicySchema,
  type PasswordComplexityPolicySchema,
  PasswordlessType,
  SecondFactorType,
} from "@doorward/api/service/policy/v1/policy_pb";
import type {
  DomainSettings,
  EffectiveSettings,
  LockoutSettings,
  LoginLayout,
  LoginSettings,
  MultiFactor,
  NotificationSettings,
  PasswordComplexitySettings,
  PasswordExpirySettings,
  SecondFactor,
} from "../../../../domain/settings/index.ts";
import { toDuration, toObjectDetails } from "../../../contract/index.ts";

// Settings as policies of the first generation of the API, which are "default" where those of the instance are in
// effect.
const common = ({ details, source }: EffectiveSettings<object>) => ({
  details: toObjectDetails(details),
  isDefault: source === "instance",
});

/** Wire values of second factors in policies. */
export const secondFactorTypes = {
  totp: SecondFactorType.OTP,
  u2f: SecondFactorType.U2F,
  otp_email: SecondFactorType.OTP_EMAIL,
  otp_sms: SecondFactorType.OTP_SMS,
  recovery_codes: SecondFactorType.RECOVERY_CODES,
} as const satisfies Record<SecondFactor, SecondFactorType>;

/** Wire values of multi-factors in policies. */
export const multiFactorTypes = {
  u2f_with_verification: MultiFactorType.U2F_WITH_VERIFICATION,
} as const satisfies Record<MultiFactor, MultiFactorType>;

/** Wire values of layouts in policies. */
export const layouts = {
  identifier_first: Layout.IDENTIFIER_FIRST,
  combined: Layout.COMBINED,
} as const satisfies Record<LoginLayout, Layout>;

export function toLoginPolicy(found: EffectiveSettings<LoginSettings>): MessageInitShape<typeof LoginPolicySchema> {
  const { settings } = found;
  return {
    ...common(found),
    allowUsernamePassword: settings.allowLocalAuthentication,
    allowRegister: settings.allowRegister,
    allowExternalIdp: settings.allowExternalIdp,
    forceMfa: settings.forceMfa,
    forceMfaLocalOnly: settings.forceMfaLocalOnly,
    passwordlessType: settings.allowPasskeys ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
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
    idps: settings.identityProviderIds.map((idpId) => ({ idpId })),
  };
}

export function toPasswordComplexityPolicy(
  found: EffectiveSettings<PasswordComplexitySettings>,
): MessageInitShape<typeof PasswordComplexityPolicySchema> {
  const { settings } = found;
  return {
    ...common(found),
    minLength: BigInt(settings.minLength),
    hasUppercase: settings.requiresUppercase,
    hasLowercase: settings.requiresLowercase,
    hasNumber: settings.requiresNumber,
    hasSymbol: settings.requiresSymbol,
  };
}

export function toPasswordAgePolicy(
  found: EffectiveSettings<PasswordExpirySettings>,
): MessageInitShape<typeof PasswordAgePolicySchema> {
  const { maxAgeDays, expireWarnDays } = found.settings;
  return { ...common(found), maxAgeDays: BigInt(maxAgeDays), expireWarnDays: BigInt(expireWarnDays) };
}

export function toLockoutPolicy(
  found: EffectiveSettings<LockoutSettings>,
): MessageInitShape<typeof LockoutPolicySchema> {
  const { maxPasswordAttempts, maxOtpAttempts } = found.settings;
  return {
    ...common(found),
    maxPasswordAttempts: BigInt(maxPasswordAttempts),
    maxOtpAttempts: BigInt(maxOtpAttempts),
  };
}

export function toDomainPolicy(found: EffectiveSettings<DomainSettings>): MessageInitShape<typeof DomainPolicySchema> {
  const { loginNameIncludesDomain, requireOrganizationDomainProof, ...rest } = found.settings;
  return {
    ...common(found),
    userLoginMustBeDomain: loginNameIncludesDomain,
    validateOrgDomains: requireOrganizationDomainProof,
    smtpSenderAddressMatchesInstanceDomain: rest.smtpSenderAddressMatchesInstanceDomain,
  };
}

export function toNotificationPolicy(
  found: EffectiveSettings<NotificationSettings>,
): MessageInitShape<typeof NotificationPolicySchema> {
  return { ...common(found), passwordChange: found.settings.passwordChange };
}
