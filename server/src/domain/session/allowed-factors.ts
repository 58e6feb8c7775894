import type { LoginSettings, SecondFactor } from "../settings/index.ts";
import type { Factors } from "./session.ts";

const secondFactorOf = {
  totpCheckedAt: "totp",
  otpSmsCheckedAt: "otp_sms",
  otpEmailCheckedAt: "otp_email",
  recoveryCodeCheckedAt: "recovery_codes",
} as const satisfies Partial<Record<keyof Factors, SecondFactor>>;

/** Returns what was checked, without what the login settings do not allow to sign in with. */
export function allowedFactors(factors: Factors, settings: LoginSettings): Factors {
  const { passwordCheckedAt, intentCheckedAt, intentId, ...others } = factors;
  const first: Factors = {
    ...(passwordCheckedAt !== undefined && settings.allowLocalAuthentication && { passwordCheckedAt }),
    ...(intentCheckedAt !== undefined && settings.allowExternalIdp && { intentCheckedAt }),
    ...(intentCheckedAt !== undefined && settings.allowExternalIdp && intentId !== undefined && { intentId }),
  };
  const forbidden = (Object.keys(secondFactorOf) as (keyof typeof secondFactorOf)[]).filter(
    (check) => !settings.secondFactors.includes(secondFactorOf[check]),
  );
  const isForbidden = (check: string): boolean =>
    forbidden.some((one) => one === check) || check === "webAuthNCheckedAt" || check === "isUserVerified";
  const rest: Factors = Object.fromEntries(Object.entries(others).filter(([check]) => !isForbidden(check)));
  return { ...first, ...rest, ...allowedKey(factors, settings, Object.keys(first).length > 0) };
}

/**
 * A key that verified the user is a passkey, and enough alone. A key that only tested presence is a second factor,
 * which needs a first one.
 */
function allowedKey(
  { webAuthNCheckedAt, isUserVerified }: Factors,
  { allowPasskeys, allowLocalAuthentication, secondFactors }: LoginSettings,
  hasFirst: boolean,
): Factors {
  if (webAuthNCheckedAt === undefined) return {};
  if (isUserVerified === true && allowPasskeys && allowLocalAuthentication)
    return { webAuthNCheckedAt, isUserVerified };
  return hasFirst && secondFactors.includes("u2f") ? { webAuthNCheckedAt, isUserVerified: false } : {};
}
