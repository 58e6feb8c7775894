import type { LockoutSettings } from "./lockout-settings.ts";
import type { LoginSettings } from "./login-settings.ts";
import type { NotificationSettings } from "./notification-settings.ts";
import type { PasswordComplexitySettings, PasswordExpirySettings } from "./password-settings.ts";

/**
 * Returns the login settings for administrators of the instance: what the instance allows, for as long as both let a check
 * count; what either demands is demanded. What the organization does not allow is no matter: it could otherwise leave
 * them without any way to sign in, for its own providers cannot vouch for them. Nor does it decide by which names they sign in and
 * where their browsers go afterwards.
 */
export function raiseLoginSettings(own: LoginSettings, ofInstance: LoginSettings): LoginSettings {
  const shortest = (name: LifetimeName): number => Math.min(own[name], ofInstance[name]);
  const { allowLocalAuthentication, allowPasskeys, secondFactors, multiFactors } = ofInstance;
  const { hidePasswordReset, disableLoginWithEmail, disableLoginWithPhone, defaultRedirectUri } = ofInstance;
  return {
    ...own,
    allowLocalAuthentication,
    allowPasskeys,
    hidePasswordReset,
    disableLoginWithEmail,
    disableLoginWithPhone,
    defaultRedirectUri,
    // Where the instance has nothing else, the organization cannot forbid it.
    allowExternalIdp: ofInstance.allowExternalIdp && (own.allowExternalIdp || !allowLocalAuthentication),
    identityProviderIds: allowLocalAuthentication
      ? own.identityProviderIds
      : [...new Set([...ofInstance.identityProviderIds, ...own.identityProviderIds])],
    forceMfa: own.forceMfa || ofInstance.forceMfa,
    forceMfaLocalOnly: own.forceMfaLocalOnly || ofInstance.forceMfaLocalOnly,
    secondFactors,
    multiFactors,
    passwordCheckLifetimeSeconds: shortest("passwordCheckLifetimeSeconds"),
    externalLoginCheckLifetimeSeconds: shortest("externalLoginCheckLifetimeSeconds"),
    secondFactorCheckLifetimeSeconds: shortest("secondFactorCheckLifetimeSeconds"),
    multiFactorCheckLifetimeSeconds: shortest("multiFactorCheckLifetimeSeconds"),
  };
}

type LifetimeName = Extract<keyof LoginSettings, `${string}CheckLifetimeSeconds`>;

/**
 * Returns the numbers of attempts of the instance: with an organization's, a stranger could block its administrators by
 * one guess.
 */
export const raiseLockoutSettings = (_own: LockoutSettings, ofInstance: LockoutSettings): LockoutSettings => ofInstance;

/** Returns the rules of both. */
export const raisePasswordComplexitySettings = (
  own: PasswordComplexitySettings,
  ofInstance: PasswordComplexitySettings,
): PasswordComplexitySettings => ({
  minLength: Math.max(own.minLength, ofInstance.minLength),
  requiresUppercase: own.requiresUppercase || ofInstance.requiresUppercase,
  requiresLowercase: own.requiresLowercase || ofInstance.requiresLowercase,
  requiresNumber: own.requiresNumber || ofInstance.requiresNumber,
  requiresSymbol: own.requiresSymbol || ofInstance.requiresSymbol,
  refusesCommon: own.refusesCommon || ofInstance.refusesCommon,
});

/** Returns what either tells of: an organization must not hide changes of the accounts of the instance's administrators. */
export const raiseNotificationSettings = (
  own: NotificationSettings,
  ofInstance: NotificationSettings,
): NotificationSettings => ({ passwordChange: own.passwordChange || ofInstance.passwordChange });

/** Returns the shorter life; 0 is the longest. */
export const raisePasswordExpirySettings = (
  own: PasswordExpirySettings,
  ofInstance: PasswordExpirySettings,
): PasswordExpirySettings => ({ ...own, maxAgeDays: smallest(own.maxAgeDays, ofInstance.maxAgeDays) });

const smallest = (left: number, right: number): number =>
  left === 0 || right === 0 ? Math.max(left, right) : Math.min(left, right);
