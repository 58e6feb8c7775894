import { type Instant, seconds } from "../../base/clock.ts";
import type { LoginSettings } from "../settings/index.ts";
import type { Factors } from "./session.ts";

// With less nobody would get back to the application that he signs in to.
const shortestLifetime = seconds(60);

/** Milliseconds that a check counts for: a minute at least. */
export const lifetimeOf = (lifetimeSeconds: number): number => Math.max(seconds(lifetimeSeconds), shortestLifetime);

/** The checks of a session that still count: each kind of factor as long as the login settings say, also those that became stricter. */
export function freshFactors(factors: Factors, settings: LoginSettings, now: Instant): Factors {
  // An authenticator that verified the person is two factors at once.
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
