import type { LockoutSettings } from "./documents/lockout-settings.ts";
import type { LoginSettings } from "./documents/login-settings.ts";
import type { NotificationSettings } from "./documents/notification-settings.ts";
import type { PasswordComplexitySettings, PasswordExpirySettings } from "./documents/password-settings.ts";
import { allowsTwoFactors } from "./sign-in-gap.ts";

/**
 * What holds for users of an organization who administer the instance: for each field of a document, which value
 * follows from the organization's and the instance's. A field without a decision does not compile.
 */
export type Raises<Document> = {
  readonly [Name in keyof Document]-?: (
    own: Document[Name],
    ofInstance: Document[Name],
    instance: Document,
  ) => Document[Name];
};

/** Returns the document that holds for administrators of the instance. */
export function raiseSettings<Document extends object>(
  raises: Raises<Document>,
  own: Document,
  ofInstance: Document,
): Document {
  const names = Object.keys(raises) as (keyof Document)[];
  const raised = names.map((name) => [name, raises[name](own[name], ofInstance[name], ofInstance)] as const);
  return { ...own, ...Object.fromEntries(raised) };
}

const organizations = <Value>(own: Value): Value => own;
const instances = <Value>(_own: Value, ofInstance: Value): Value => ofInstance;
const either = (own: boolean, ofInstance: boolean): boolean => own || ofInstance;
const smaller = (own: number, ofInstance: number): number => Math.min(own, ofInstance);
const larger = (own: number, ofInstance: number): number => Math.max(own, ofInstance);
/** The smaller number, where 0 stands for no limit. */
const smallerLimit = (own: number, ofInstance: number): number =>
  own === 0 || ofInstance === 0 ? Math.max(own, ofInstance) : Math.min(own, ofInstance);

// The factors that count are those of the instance, so it must allow some for an organization to demand them.
const demanded = (own: boolean, ofInstance: boolean, instance: LoginSettings): boolean =>
  ofInstance || (own && allowsTwoFactors(instance));

/**
 * Sign-in methods are those of the instance: an organization could otherwise leave its administrators without any way
 * to sign in, because its own providers cannot vouch for them. Nor does it decide by which names they sign in and where
 * their browsers go afterwards. What either demands is demanded where the instance lets factors meet it, and a check
 * counts for as long as both let it.
 */
export const loginRaises: Raises<LoginSettings> = {
  allowLocalAuthentication: instances,
  allowRegister: organizations,
  allowExternalIdp: instances,
  forceMfa: demanded,
  forceMfaLocalOnly: demanded,
  allowPasskeys: instances,
  hidePasswordReset: instances,
  ignoreUnknownUsernames: organizations,
  defaultRedirectUri: instances,
  passwordCheckLifetimeSeconds: smaller,
  externalLoginCheckLifetimeSeconds: smaller,
  mfaInitSkipLifetimeSeconds: organizations,
  secondFactorCheckLifetimeSeconds: smaller,
  multiFactorCheckLifetimeSeconds: smaller,
  secondFactors: instances,
  multiFactors: instances,
  allowDomainDiscovery: organizations,
  disableLoginWithEmail: instances,
  disableLoginWithPhone: instances,
  // Some administrators of the instance have nothing but an account at one of its providers.
  identityProviderIds: (own, ofInstance) => [...new Set([...ofInstance, ...own])],
  layout: organizations,
  refuseImpersonation: either,
};

/**
 * With an organization's numbers of attempts, a stranger could block the administrators of the instance by one guess,
 * and a manager of the organization's settings its owners.
 */
export const lockoutRaises: Raises<LockoutSettings> = { maxPasswordAttempts: instances, maxOtpAttempts: instances };

/** The rules of both. */
export const passwordComplexityRaises: Raises<PasswordComplexitySettings> = {
  minLength: larger,
  requiresUppercase: either,
  requiresLowercase: either,
  requiresNumber: either,
  requiresSymbol: either,
  refusesCommon: either,
};

/** An organization must not hide changes of the accounts of the instance's administrators. */
export const notificationRaises: Raises<NotificationSettings> = { passwordChange: either };

export const passwordExpiryRaises: Raises<PasswordExpirySettings> = {
  maxAgeDays: smallerLimit,
  expireWarnDays: organizations,
};
