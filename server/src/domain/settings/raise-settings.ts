import type { LockoutSettings } from "./lockout-settings.ts";
import type { LoginSettings } from "./login-settings.ts";
import type { PasswordComplexitySettings, PasswordExpirySettings } from "./password-settings.ts";

/** Returns what both allow, and for as long as both let a check count; what either demands is demanded. */
export function raiseLoginSettings(own: LoginSettings, ofInstance: LoginSettings): LoginSettings {
  const shortest = (name: LifetimeName): number => Math.min(own[name], ofInstance[name]);
  return {
    ...own,
    ...raiseFirstFactors(own, ofInstance),
    forceMfa: own.forceMfa || ofInstance.forceMfa,
    forceMfaLocalOnly: own.forceMfaLocalOnly || ofInstance.forceMfaLocalOnly,
    secondFactors: common(own.secondFactors, ofInstance.secondFactors),
    multiFactors: own.multiFactors.filter((factor) => ofInstance.multiFactors.includes(factor)),
    passwordCheckLifetimeSeconds: shortest("passwordCheckLifetimeSeconds"),
    externalLoginCheckLifetimeSeconds: shortest("externalLoginCheckLifetimeSeconds"),
    secondFactorCheckLifetimeSeconds: shortest("secondFactorCheckLifetimeSeconds"),
    multiFactorCheckLifetimeSeconds: shortest("multiFactorCheckLifetimeSeconds"),
  };
}

type LifetimeName = Extract<keyof LoginSettings, `${string}CheckLifetimeSeconds`>;
type FirstFactors = Pick<LoginSettings, "allowLocalAuthentication" | "allowExternalIdp" | "allowPasskeys">;

// Where the two have nothing in common, the instance decides: its administrators must not be locked out of it.
function raiseFirstFactors(own: FirstFactors, ofInstance: FirstFactors): FirstFactors {
  const allowLocalAuthentication = own.allowLocalAuthentication && ofInstance.allowLocalAuthentication;
  const allowExternalIdp = own.allowExternalIdp && ofInstance.allowExternalIdp;
  const { allowPasskeys } = ofInstance;
  if (!allowLocalAuthentication && !allowExternalIdp) {
    return {
      allowLocalAuthentication: ofInstance.allowLocalAuthentication,
      allowExternalIdp: ofInstance.allowExternalIdp,
      allowPasskeys,
    };
  }
  return { allowLocalAuthentication, allowExternalIdp, allowPasskeys: own.allowPasskeys && allowPasskeys };
}

function common<Factor>(own: readonly Factor[], ofInstance: readonly Factor[]): readonly Factor[] {
  const both = own.filter((factor) => ofInstance.includes(factor));
  return both.length > 0 ? both : ofInstance;
}

/** Returns the smaller number of attempts; 0 is the largest, because it never blocks. */
export const raiseLockoutSettings = (own: LockoutSettings, ofInstance: LockoutSettings): LockoutSettings => ({
  maxPasswordAttempts: smallest(own.maxPasswordAttempts, ofInstance.maxPasswordAttempts),
  maxOtpAttempts: smallest(own.maxOtpAttempts, ofInstance.maxOtpAttempts),
});

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

/** Returns the shorter life; 0 is the longest. */
export const raisePasswordExpirySettings = (
  own: PasswordExpirySettings,
  ofInstance: PasswordExpirySettings,
): PasswordExpirySettings => ({ ...own, maxAgeDays: smallest(own.maxAgeDays, ofInstance.maxAgeDays) });

const smallest = (left: number, right: number): number =>
  left === 0 || right === 0 ? Math.max(left, right) : Math.min(left, right);
