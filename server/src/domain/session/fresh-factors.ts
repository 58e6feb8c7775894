import { type Instant, seconds } from "../../base/clock.ts";
import type { LoginSettings } from "../settings/index.ts";
import type { Factors } from "./session.ts";

// With less, users could not get back to the application that they are signing in to.
const shortestLifetime = seconds(60);

/** Returns for how many milliseconds a check counts: a minute at least. */
export const lifetimeOf = (lifetimeSeconds: number): number => Math.max(seconds(lifetimeSeconds), shortestLifetime);

/**
 * Returns the checks of a session that still count: each kind of factor for as long as the current login settings say.
 */
export function freshFactors(factors: Factors, settings: LoginSettings, now: Instant): Factors {
  // An authenticator that verified the user is two factors at once.
  const webAuthN =
    factors.isUserVerified === true
      ? settings.multiFactorCheckLifetimeSeconds
      : settings.secondFactorCheckLifetimeSeconds;
  const lifetimes = {
    passwordCheckedAt: settings.passwordCheckLifetimeSeconds,
    intentCheckedAt: settings.externalLoginCheckLifetimeSeconds,
    totpCheckedAt: settings.secondFactorCheckLifetimeSeconds,
    otpSmsCheckedAt: settings.secondFactorCheckLifetimeSeconds,
    otpEmailCheckedAt: settings.secondFactorCheckLifetimeSeconds,
    recoveryCodeCheckedAt: settings.secondFactorCheckLifetimeSeconds,
    webAuthNCheckedAt: webAuthN,
  } as const satisfies Partial<Record<keyof Factors, number>>;
  const stale = (Object.keys(lifetimes) as (keyof typeof lifetimes)[]).filter((check) => {
    const checkedAt = factors[check];
    return checkedAt !== undefined && checkedAt + lifetimeOf(lifetimes[check]) <= now;
  });
  return Object.fromEntries(Object.entries(factors).filter(([check]) => !stale.some((one) => one === check)));
}
