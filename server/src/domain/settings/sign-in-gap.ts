import type { LoginSettings } from "./documents/login-settings.ts";

/** What login settings leave no way to have. */
export type SignInGap = "first_factor" | "second_factor";

/**
 * Returns what keeps every user out: no first factor is allowed (neither password nor passkey, nor an active provider),
 * or a second one is required and none is allowed. Undefined when users can sign in. Recovery codes only stand in for a
 * factor, so they do not count.
 */
export function findSignInGap(settings: LoginSettings, hasActiveProvider: boolean): SignInGap | undefined {
  const { allowLocalAuthentication, allowExternalIdp, forceMfa, forceMfaLocalOnly } = settings;
  const isExternalPossible = allowExternalIdp && hasActiveProvider;
  if (!allowLocalAuthentication && !isExternalPossible) return "first_factor";
  if (allowsTwoFactors(settings)) return undefined;
  return forceMfa || (forceMfaLocalOnly && !isExternalPossible) ? "second_factor" : undefined;
}

type FactorSettings = Pick<
  LoginSettings,
  "allowLocalAuthentication" | "allowPasskeys" | "secondFactors" | "multiFactors"
>;

/** Whether a demand for two factors can be met: by a second factor, or by a passkey, which counts as two. */
export function allowsTwoFactors(settings: FactorSettings): boolean {
  return isPasskeyEnough(settings) || settings.secondFactors.some((factor) => factor !== "recovery_codes");
}

/** Whether users may sign in with a passkey alone where two factors are demanded. */
const isPasskeyEnough = (settings: Omit<FactorSettings, "secondFactors">): boolean =>
  settings.allowLocalAuthentication &&
  settings.allowPasskeys &&
  settings.multiFactors.includes("u2f_with_verification");
