import type { Duration } from "@bufbuild/protobuf/wkt";
import {
  type LoginLayout as Layout,
  type MultiFactorType,
  PasswordlessType,
  type SecondFactorType,
} from "@doorward/api/service/policy/v1/policy_pb";
import type { LoginLayout, LoginSettings, MultiFactor, SecondFactor } from "../../../../domain/settings/index.ts";
import { fromDuration } from "../../../contract/index.ts";
import { fromPrivacyRequest, type PrivacyRequest, toPrivacyPolicy } from "./appearance-policy.ts";
import {
  layouts,
  multiFactorTypes,
  secondFactorTypes,
  toDomainPolicy,
  toLockoutPolicy,
  toLoginPolicy,
  toNotificationPolicy,
  toPasswordAgePolicy,
  toPasswordComplexityPolicy,
} from "./policy-message.ts";
import type { PolicyWords } from "./policy-methods.ts";

interface LoginRequest {
  readonly allowUsernamePassword: boolean;
  readonly allowRegister: boolean;
  readonly allowExternalIdp: boolean;
  readonly forceMfa: boolean;
  readonly forceMfaLocalOnly: boolean;
  readonly passwordlessType: PasswordlessType;
  readonly hidePasswordReset: boolean;
  readonly ignoreUnknownUsernames: boolean;
  readonly defaultRedirectUri: string;
  readonly passwordCheckLifetime?: Duration | undefined;
  readonly externalLoginCheckLifetime?: Duration | undefined;
  readonly mfaInitSkipLifetime?: Duration | undefined;
  readonly secondFactorCheckLifetime?: Duration | undefined;
  readonly multiFactorCheckLifetime?: Duration | undefined;
  readonly allowDomainDiscovery: boolean;
  readonly disableLoginWithEmail: boolean;
  readonly disableLoginWithPhone: boolean;
  readonly layout: Layout;
  /** Only when a policy is added; an update leaves its factors alone. */
  readonly secondFactors?: readonly SecondFactorType[];
  readonly multiFactors?: readonly MultiFactorType[];
  readonly idps?: readonly { readonly idpId: string }[];
}

export const toSecondFactor = (type: SecondFactorType): SecondFactor | undefined =>
  (Object.keys(secondFactorTypes) as SecondFactor[]).find((name) => secondFactorTypes[name] === type);

export const toMultiFactor = (type: MultiFactorType): MultiFactor | undefined =>
  (Object.keys(multiFactorTypes) as MultiFactor[]).find((name) => multiFactorTypes[name] === type);

// Undefined for "unspecified": clients that do not know layouts leave them alone.
const toLayout = (type: Layout): LoginLayout | undefined =>
  (Object.keys(layouts) as LoginLayout[]).find((name) => layouts[name] === type);

function changeLogin(current: LoginSettings, request: LoginRequest): LoginSettings {
  const seconds = (duration: Duration | undefined, before: number): number =>
    duration === undefined ? before : fromDuration(duration);
  return {
    allowLocalAuthentication: request.allowUsernamePassword,
    allowRegister: request.allowRegister,
    allowExternalIdp: request.allowExternalIdp,
    forceMfa: request.forceMfa,
    forceMfaLocalOnly: request.forceMfaLocalOnly,
    allowPasskeys: request.passwordlessType === PasswordlessType.ALLOWED,
    hidePasswordReset: request.hidePasswordReset,
    ignoreUnknownUsernames: request.ignoreUnknownUsernames,
    defaultRedirectUri: request.defaultRedirectUri,
    passwordCheckLifetimeSeconds: seconds(request.passwordCheckLifetime, current.passwordCheckLifetimeSeconds),
    externalLoginCheckLifetimeSeconds: seconds(
      request.externalLoginCheckLifetime,
      current.externalLoginCheckLifetimeSeconds,
    ),
    mfaInitSkipLifetimeSeconds: seconds(request.mfaInitSkipLifetime, current.mfaInitSkipLifetimeSeconds),
    secondFactorCheckLifetimeSeconds: seconds(
      request.secondFactorCheckLifetime,
      current.secondFactorCheckLifetimeSeconds,
    ),
    multiFactorCheckLifetimeSeconds: seconds(request.multiFactorCheckLifetime, current.multiFactorCheckLifetimeSeconds),
    secondFactors: request.secondFactors?.flatMap((type) => toSecondFactor(type) ?? []) ?? current.secondFactors,
    multiFactors: request.multiFactors?.flatMap((type) => toMultiFactor(type) ?? []) ?? current.multiFactors,
    allowDomainDiscovery: request.allowDomainDiscovery,
    disableLoginWithEmail: request.disableLoginWithEmail,
    disableLoginWithPhone: request.disableLoginWithPhone,
    identityProviderIds: request.idps
      ? [...new Set(request.idps.map(({ idpId }) => idpId))]
      : current.identityProviderIds,
    layout: toLayout(request.layout) ?? current.layout,
  };
}

export const loginWords: PolicyWords<"login", ReturnType<typeof toLoginPolicy>, LoginRequest> = {
  kind: "login",
  toPolicy: toLoginPolicy,
  change: changeLogin,
};

interface ComplexityRequest {
  readonly minLength: number | bigint;
  readonly hasUppercase: boolean;
  readonly hasLowercase: boolean;
  readonly hasNumber: boolean;
  readonly hasSymbol: boolean;
}

export const complexityWords: PolicyWords<
  "password_complexity",
  ReturnType<typeof toPasswordComplexityPolicy>,
  ComplexityRequest
> = {
  kind: "password_complexity",
  toPolicy: toPasswordComplexityPolicy,
  // The first generation does not know whether common passwords are refused.
  change: (current, { minLength, hasUppercase, hasLowercase, hasNumber, hasSymbol }) => ({
    ...current,
    minLength: Number(minLength),
    requiresUppercase: hasUppercase,
    requiresLowercase: hasLowercase,
    requiresNumber: hasNumber,
    requiresSymbol: hasSymbol,
  }),
};

interface AgeRequest {
  readonly maxAgeDays: number;
  readonly expireWarnDays: number;
}

export const ageWords: PolicyWords<"password_expiry", ReturnType<typeof toPasswordAgePolicy>, AgeRequest> = {
  kind: "password_expiry",
  toPolicy: toPasswordAgePolicy,
  change: (_, { maxAgeDays, expireWarnDays }) => ({ maxAgeDays, expireWarnDays }),
};

interface LockoutRequest {
  readonly maxPasswordAttempts: number;
  readonly maxOtpAttempts: number;
}

export const lockoutWords: PolicyWords<"lockout", ReturnType<typeof toLockoutPolicy>, LockoutRequest> = {
  kind: "lockout",
  toPolicy: toLockoutPolicy,
  change: (_, { maxPasswordAttempts, maxOtpAttempts }) => ({ maxPasswordAttempts, maxOtpAttempts }),
};

interface DomainRequest {
  readonly userLoginMustBeDomain: boolean;
  /** Only the newer methods have these; the others leave them alone. */
  readonly validateOrgDomains?: boolean;
  readonly smtpSenderAddressMatchesInstanceDomain?: boolean;
}

export const domainWords: PolicyWords<"domain", ReturnType<typeof toDomainPolicy>, DomainRequest> = {
  kind: "domain",
  toPolicy: toDomainPolicy,
  change: (current, { userLoginMustBeDomain, validateOrgDomains, smtpSenderAddressMatchesInstanceDomain }) => ({
    loginNameIncludesDomain: userLoginMustBeDomain,
    requireOrganizationDomainProof: validateOrgDomains ?? current.requireOrganizationDomainProof,
    smtpSenderAddressMatchesInstanceDomain:
      smtpSenderAddressMatchesInstanceDomain ?? current.smtpSenderAddressMatchesInstanceDomain,
  }),
};

export const privacyWords: PolicyWords<"legal_support", ReturnType<typeof toPrivacyPolicy>, PrivacyRequest> = {
  kind: "legal_support",
  toPolicy: toPrivacyPolicy,
  change: (_, request) => fromPrivacyRequest(request),
};

interface NotificationRequest {
  readonly passwordChange: boolean;
}

export const notificationWords: PolicyWords<
  "notification",
  ReturnType<typeof toNotificationPolicy>,
  NotificationRequest
> = {
  kind: "notification",
  toPolicy: toNotificationPolicy,
  change: (_, { passwordChange }) => ({ passwordChange }),
};
