import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  LoginLayout as Layout1,
  type LoginPolicySchema,
  MultiFactorType as MultiFactorType1,
  PasswordlessType,
  SecondFactorType as SecondFactorType1,
} from "@doorward/api/service/policy/v1/policy_pb";
import {
  LoginLayout as Layout2,
  type LoginSettingsSchema,
  MultiFactorType as MultiFactorType2,
  PasskeysType,
  SecondFactorType as SecondFactorType2,
} from "@doorward/api/service/settings/v2/login_pb";
import type { LoginLayout, LoginSettings, MultiFactor, SecondFactor } from "../../domain/settings/index.ts";
import { type FieldKind, type FieldsOf, fieldsIn } from "./fields.ts";
import { choice, choices, flag, seconds, text } from "./kinds.ts";

const { both, onlyV1 } = fieldsIn<
  MessageInitShape<typeof LoginSettingsSchema>,
  MessageInitShape<typeof LoginPolicySchema>
>();

/** Second factors in version 1. */
export const secondFactorTypes = {
  totp: SecondFactorType1.OTP,
  u2f: SecondFactorType1.U2F,
  otp_email: SecondFactorType1.OTP_EMAIL,
  otp_sms: SecondFactorType1.OTP_SMS,
  recovery_codes: SecondFactorType1.RECOVERY_CODES,
} as const satisfies Record<SecondFactor, SecondFactorType1>;

const newSecondFactorTypes = {
  totp: SecondFactorType2.OTP,
  u2f: SecondFactorType2.U2F,
  otp_email: SecondFactorType2.OTP_EMAIL,
  otp_sms: SecondFactorType2.OTP_SMS,
  recovery_codes: SecondFactorType2.RECOVERY_CODES,
} as const satisfies Record<SecondFactor, SecondFactorType2>;

/** Factors that verify the user themselves, in version 1. */
export const multiFactorTypes = {
  u2f_with_verification: MultiFactorType1.U2F_WITH_VERIFICATION,
} as const satisfies Record<MultiFactor, MultiFactorType1>;

const newMultiFactorTypes = {
  u2f_with_verification: MultiFactorType2.U2F_WITH_VERIFICATION,
} as const satisfies Record<MultiFactor, MultiFactorType2>;

const layout = choice<LoginLayout, Record<LoginLayout, Layout2>, Record<LoginLayout, Layout1>>(
  { identifier_first: Layout2.IDENTIFIER_FIRST, combined: Layout2.COMBINED },
  { identifier_first: Layout1.IDENTIFIER_FIRST, combined: Layout1.COMBINED },
);

/** An enumeration of two values in messages. */
const allowed: FieldKind<boolean, PasskeysType, PasswordlessType> = {
  v2: {
    write: (is) => (is ? PasskeysType.ALLOWED : PasskeysType.NOT_ALLOWED),
    read: (type) => type === PasskeysType.ALLOWED,
  },
  v1: {
    write: (is) => (is ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED),
    read: (type) => type === PasswordlessType.ALLOWED,
  },
};

interface Link {
  readonly idpId: string;
}

/** Ids of identity providers, records of version 1. Requests may repeat one. */
const links: Pick<FieldKind<readonly string[], never, { idpId: string }[], never, readonly Link[]>, "v1"> = {
  v1: {
    write: (ids) => ids.map((idpId) => ({ idpId })),
    read: (given) => [...new Set(given.map(({ idpId }) => idpId))],
  },
};

/** Login settings in the contract. Requests without factors or providers leave them alone. */
export const loginFields = {
  allowLocalAuthentication: both("allowLocalAuthentication", "allowUsernamePassword", flag),
  allowRegister: both("allowRegister", "allowRegister", flag),
  allowExternalIdp: both("allowExternalIdp", "allowExternalIdp", flag),
  forceMfa: both("forceMfa", "forceMfa", flag),
  forceMfaLocalOnly: both("forceMfaLocalOnly", "forceMfaLocalOnly", flag),
  allowPasskeys: both("passkeysType", "passwordlessType", allowed),
  hidePasswordReset: both("hidePasswordReset", "hidePasswordReset", flag),
  ignoreUnknownUsernames: both("ignoreUnknownUsernames", "ignoreUnknownUsernames", flag),
  defaultRedirectUri: both("defaultRedirectUri", "defaultRedirectUri", text),
  passwordCheckLifetimeSeconds: both("passwordCheckLifetime", "passwordCheckLifetime", seconds),
  externalLoginCheckLifetimeSeconds: both("externalLoginCheckLifetime", "externalLoginCheckLifetime", seconds),
  mfaInitSkipLifetimeSeconds: both("mfaInitSkipLifetime", "mfaInitSkipLifetime", seconds),
  secondFactorCheckLifetimeSeconds: both("secondFactorCheckLifetime", "secondFactorCheckLifetime", seconds),
  multiFactorCheckLifetimeSeconds: both("multiFactorCheckLifetime", "multiFactorCheckLifetime", seconds),
  secondFactors: both("secondFactors", "secondFactors", choices(newSecondFactorTypes, secondFactorTypes)),
  multiFactors: both("multiFactors", "multiFactors", choices(newMultiFactorTypes, multiFactorTypes)),
  allowDomainDiscovery: both("allowDomainDiscovery", "allowDomainDiscovery", flag),
  disableLoginWithEmail: both("disableLoginWithEmail", "disableLoginWithEmail", flag),
  disableLoginWithPhone: both("disableLoginWithPhone", "disableLoginWithPhone", flag),
  identityProviderIds: onlyV1("idps", links),
  layout: both("layout", "layout", layout),
  refuseImpersonation: both("refuseImpersonation", "refuseImpersonation", flag),
} satisfies FieldsOf<LoginSettings>;
