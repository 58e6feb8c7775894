import { MultiFactorType, SecondFactorType } from "@doorward/api/service/settings/v2/login_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import type { SettingField, SettingsDocument } from "./document.ts";

const { method } = SettingsService;

const flag = (name: string, text: SettingField["text"], hint?: SettingField["hint"]): SettingField => ({
  name,
  kind: "flag",
  text,
  ...(hint && { hint }),
});

/** Every document of settings that instance and organizations both have, in the order of the page. */
const documents = {
  login: {
    path: "login",
    title: "settings.login",
    lead: "settings.login.lead",
    get: method.getLoginSettings,
    update: method.updateLoginSettings,
    reset: method.resetLoginSettings,
    fields: [
      flag("allowLocalAuthentication", "settings.login.password"),
      flag("passkeysType", "settings.login.passkeys"),
      flag("allowExternalIdp", "settings.login.providers"),
      flag("allowRegister", "settings.login.registration", "settings.login.registration.hint"),
      flag("forceMfa", "settings.login.forceMfa", "settings.login.forceMfa.hint"),
      flag("forceMfaLocalOnly", "settings.login.forceMfaLocal"),
      {
        name: "secondFactors",
        kind: "choices",
        text: "settings.login.secondFactors",
        hint: "settings.login.secondFactors.hint",
        choices: [
          [SecondFactorType.TOTP, "attempt.check.totp"],
          [SecondFactorType.U2F, "attempt.check.key"],
          [SecondFactorType.OTP_EMAIL, "attempt.check.otpEmail"],
          [SecondFactorType.OTP_SMS, "attempt.check.otpSms"],
          [SecondFactorType.RECOVERY_CODES, "attempt.check.recoveryCode"],
        ],
      },
      {
        name: "multiFactors",
        kind: "choices",
        text: "settings.login.multiFactors",
        choices: [[MultiFactorType.U2F_WITH_VERIFICATION, "settings.login.multiFactors.verified"]],
      },
      flag("allowDomainDiscovery", "settings.login.discovery", "settings.login.discovery.hint"),
      flag("ignoreUnknownUsernames", "settings.login.ignoreUnknown", "settings.login.ignoreUnknown.hint"),
      flag("refuseImpersonation", "settings.login.refuseImpersonation", "settings.login.refuseImpersonation.hint"),
      flag("hidePasswordReset", "settings.login.hideReset"),
      flag("disableLoginWithEmail", "settings.login.noEmail"),
      flag("disableLoginWithPhone", "settings.login.noPhone"),
      {
        name: "defaultRedirectUri",
        kind: "text",
        text: "settings.login.redirect",
        hint: "settings.login.redirect.hint",
      },
      { name: "passwordCheckLifetime", kind: "hours", text: "settings.login.passwordLifetime" },
      { name: "externalLoginCheckLifetime", kind: "hours", text: "settings.login.providerLifetime" },
      { name: "secondFactorCheckLifetime", kind: "hours", text: "settings.login.secondFactorLifetime" },
      { name: "multiFactorCheckLifetime", kind: "hours", text: "settings.login.passkeyLifetime" },
      { name: "mfaInitSkipLifetime", kind: "hours", text: "settings.login.skipLifetime" },
    ],
  },
  passwords: {
    path: "passwords",
    title: "settings.passwords",
    lead: "settings.passwords.lead",
    get: method.getPasswordComplexitySettings,
    update: method.updatePasswordComplexitySettings,
    reset: method.resetPasswordComplexitySettings,
    fields: [
      { name: "minLength", kind: "count", text: "settings.passwords.length" },
      flag("requiresUppercase", "settings.passwords.upper"),
      flag("requiresLowercase", "settings.passwords.lower"),
      flag("requiresNumber", "settings.passwords.number"),
      flag("requiresSymbol", "settings.passwords.symbol"),
    ],
  },
  passwordAge: {
    path: "password-age",
    title: "settings.passwordAge",
    lead: "settings.passwordAge.lead",
    get: method.getPasswordExpirySettings,
    update: method.updatePasswordExpirySettings,
    reset: method.resetPasswordExpirySettings,
    fields: [
      { name: "maxAgeDays", kind: "count", text: "settings.passwordAge.max", hint: "settings.passwordAge.max.hint" },
      { name: "expireWarnDays", kind: "count", text: "settings.passwordAge.warn" },
    ],
  },
  lockout: {
    path: "lockout",
    title: "settings.lockout",
    lead: "settings.lockout.lead",
    get: method.getLockoutSettings,
    update: method.updateLockoutSettings,
    reset: method.resetLockoutSettings,
    fields: [
      { name: "maxPasswordAttempts", kind: "count", text: "settings.lockout.password", hint: "settings.lockout.hint" },
      { name: "maxOtpAttempts", kind: "count", text: "settings.lockout.code", hint: "settings.lockout.hint" },
    ],
  },
  links: {
    path: "links",
    title: "settings.links",
    lead: "settings.links.lead",
    get: method.getLegalAndSupportSettings,
    update: method.updateLegalAndSupportSettings,
    reset: method.resetLegalAndSupportSettings,
    fields: [
      { name: "tosLink", kind: "text", text: "settings.links.terms" },
      { name: "privacyPolicyLink", kind: "text", text: "settings.links.privacy" },
      { name: "accessibilityLink", kind: "text", text: "settings.links.accessibility" },
      { name: "helpLink", kind: "text", text: "settings.links.help" },
      { name: "supportEmail", kind: "text", text: "settings.links.support" },
      { name: "docsLink", kind: "text", text: "settings.links.docs" },
    ],
  },
  notifications: {
    path: "notices",
    title: "settings.notices",
    lead: "settings.notices.lead",
    get: method.getNotificationSettings,
    update: method.updateNotificationSettings,
    reset: method.resetNotificationSettings,
    fields: [flag("passwordChange", "settings.notices.password")],
  },
  domains: {
    path: "domains",
    title: "settings.domains",
    lead: "settings.domains.lead",
    get: method.getDomainSettings,
    update: method.updateDomainSettings,
    reset: method.resetDomainSettings,
    permission: "iam.policy.write",
    fields: [
      flag("requireOrgDomainVerification", "settings.domains.proof", "settings.domains.proof.hint"),
      flag("loginNameIncludesDomain", "settings.domains.suffix", "settings.domains.suffix.hint"),
      flag("smtpSenderAddressMatchesInstanceDomain", "settings.domains.sender"),
    ],
  },
} as const satisfies Record<string, SettingsDocument>;

/** Documents that only the instance has. */
const instanceDocuments = {
  tokens: {
    path: "tokens",
    title: "settings.tokens",
    lead: "settings.tokens.lead",
    get: method.getOIDCSettings,
    update: method.updateOIDCSettings,
    permission: "iam.write",
    fields: [
      { name: "accessTokenLifetime", kind: "minutes", text: "settings.tokens.access" },
      { name: "idTokenLifetime", kind: "minutes", text: "settings.tokens.id" },
      { name: "refreshTokenIdleExpiration", kind: "days", text: "settings.tokens.refreshIdle" },
      { name: "refreshTokenExpiration", kind: "days", text: "settings.tokens.refresh" },
    ],
  },
  security: {
    path: "security",
    title: "settings.security",
    lead: "settings.security.lead",
    get: method.getSecuritySettings,
    update: method.updateSecuritySettings,
    fields: [
      flag("embeddedIframe.enabled", "settings.security.frames"),
      {
        name: "embeddedIframe.allowedOrigins",
        kind: "lines",
        text: "settings.security.origins",
        hint: "settings.security.origins.hint",
      },
      flag("enableImpersonation", "settings.security.impersonation", "settings.security.impersonation.hint"),
    ],
  },
  registration: {
    path: "registration",
    title: "settings.registration",
    lead: "settings.registration.lead",
    get: method.getSecuritySettings,
    update: method.updateSecuritySettings,
    fields: [
      flag("dynamicClientRegistration.enabled", "settings.registration.enabled", "settings.registration.enabled.hint"),
      flag(
        "dynamicClientRegistration.allowUnauthenticated",
        "settings.registration.anyone",
        "settings.registration.anyone.hint",
      ),
      {
        name: "dynamicClientRegistration.maxUnusedClients",
        kind: "count",
        text: "settings.registration.most",
        usual: 1000,
      },
      {
        name: "dynamicClientRegistration.maxUnusedClientsPerSource",
        kind: "count",
        text: "settings.registration.mostOfSource",
        usual: 20,
      },
      {
        name: "dynamicClientRegistration.unusedClientLifetime",
        kind: "hours",
        text: "settings.registration.lifetime",
        usual: 24,
      },
      flag(
        "clientIdMetadataDocument.enabled",
        "settings.registration.documents",
        "settings.registration.documents.hint",
      ),
      flag("clientIdMetadataDocument.allowAnyUrl", "settings.registration.anyAddress"),
      {
        name: "clientIdMetadataDocument.allowedUrls",
        kind: "lines",
        text: "settings.registration.addresses",
        hint: "settings.registration.addresses.hint",
      },
      flag(
        "skipConsentAcrossOrganizations",
        "settings.registration.skipConsent",
        "settings.registration.skipConsent.hint",
      ),
      {
        name: "claimNamespaces",
        kind: "lines",
        text: "settings.registration.namespaces",
        hint: "settings.registration.namespaces.hint",
      },
    ],
  },
} as const satisfies Record<string, SettingsDocument>;

/** Returns the documents of a level. */
export const documentsOf = (isInstance: boolean): readonly SettingsDocument[] =>
  isInstance ? [...Object.values(documents), ...Object.values(instanceDocuments)] : Object.values(documents);
