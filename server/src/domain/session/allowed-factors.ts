import type { Reader } from "../../database/index.ts";
import { offersProvider } from "../identity-provider/index.ts";
import type { LoginSettings, SecondFactor, SettingsScope } from "../settings/index.ts";
import type { Factors } from "./session.ts";

const secondFactorOf = {
  totpCheckedAt: "totp",
  otpSmsCheckedAt: "otp_sms",
  otpEmailCheckedAt: "otp_email",
  recoveryCodeCheckedAt: "recovery_codes",
} as const satisfies Partial<Record<keyof Factors, SecondFactor>>;

/**
 * Step: returns what was checked, without what the login settings of the user do not allow to sign in with now: neither
 * methods that they forbid, nor the word of a provider that they do not offer.
 */
export async function allowedFactors(
  reader: Reader,
  scope: SettingsScope,
  factors: Factors,
  settings: LoginSettings,
): Promise<Factors> {
  const allowed = factorsOfAllowedKinds(factors, settings);
  if (allowed.intentCheckedAt === undefined) return allowed;
  if (await isProviderOffered(reader, scope, allowed, settings)) return allowed;
  // Again from the beginning: a key that adds to the provider's word does not count without it.
  return factorsOfAllowedKinds(withoutProvider(factors), settings);
}

/**
 * Step: returns whether the login offers the provider whose word was checked. Which providers prepared the link is
 * another question, of whether they may vouch for the user. Sessions from before the provider was kept were at one of
 * those that they depend on, so every one of them has to be offered.
 */
export async function isProviderOffered(
  reader: Reader,
  scope: SettingsScope,
  { identityProviderId, preparedBy = [] }: Factors,
  settings?: LoginSettings,
): Promise<boolean> {
  if (identityProviderId !== undefined) return offersProvider(reader, scope, identityProviderId, settings);
  for (const each of preparedBy) {
    if ("identityProviderId" in each && !(await offersProvider(reader, scope, each.identityProviderId, settings)))
      return false;
  }
  return true;
}

/**
 * Step: returns what the session of a browser proves in another sign-in: not the word of a provider that the login does
 * not offer. What else was checked counts as before.
 */
export async function withOfferedWord(reader: Reader, scope: SettingsScope, factors: Factors): Promise<Factors> {
  if (factors.intentCheckedAt === undefined) return factors;
  return (await isProviderOffered(reader, scope, factors)) ? factors : withoutProvider(factors);
}

/** Returns what was checked, without the kinds of checks that the login settings forbid. */
export function factorsOfAllowedKinds(factors: Factors, settings: LoginSettings): Factors {
  const checked = settings.allowExternalIdp ? factors : withoutProvider(factors);
  const { passwordCheckedAt, intentCheckedAt, ...others } = checked;
  const first: Factors = {
    ...(passwordCheckedAt !== undefined && settings.allowLocalAuthentication && { passwordCheckedAt }),
    ...(intentCheckedAt !== undefined && { intentCheckedAt }),
  };
  const forbidden = (Object.keys(secondFactorOf) as (keyof typeof secondFactorOf)[]).filter(
    (check) => !settings.secondFactors.includes(secondFactorOf[check]),
  );
  const isForbidden = (check: string): boolean =>
    forbidden.some((one) => one === check) || check === "webAuthNCheckedAt" || check === "isUserVerified";
  const rest: Factors = Object.fromEntries(Object.entries(others).filter(([check]) => !isForbidden(check)));
  return { ...first, ...rest, ...allowedKey(factors, settings, Object.keys(first).length > 0) };
}

/** Returns what was checked, without the word of a provider. */
export const withoutProvider = ({
  intentCheckedAt: _at,
  intentId: _attempt,
  identityProviderId: _provider,
  ...others
}: Factors): Factors => others;

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
