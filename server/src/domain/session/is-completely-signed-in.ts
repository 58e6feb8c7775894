import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { LoginSettings, SecondFactor } from "../settings/index.ts";
import { findPasswordChange } from "../user/index.ts";
import { checkedSince } from "./is-freshly-signed-in.ts";
import { freshFactorsOf, isSignedIn, type SignedInDeps } from "./is-signed-in.ts";
import type { Factors, Session } from "./session.ts";

/**
 * Returns whether the hosted login would have signed the user in with what was checked in the session. For sessions
 * that other logins created. Only checks count that are since the instant (when given), fresh enough, and allowed by
 * the login settings. A password counts only when it did not have to be replaced.
 */
export async function isCompletelySignedIn(
  deps: SignedInDeps,
  call: Call,
  session: Session,
  since: Instant | undefined,
): Promise<boolean> {
  const { userId } = session;
  if (userId === undefined) return false;
  const factors = await countingFactors(deps, call, session, since);
  if (!(await isSignedIn(deps, call, { ...session, factors }))) return false;
  const { passwordCheckedAt } = factors;
  // As of when the password was typed: a user who is signed in is not signed out because the password gets too old.
  if (passwordCheckedAt === undefined) return true;
  return (await findPasswordChange(deps, { ...call, now: passwordCheckedAt }, userId)) === undefined;
}

/**
 * Returns what counts of a session that another login created: checks since the instant (when given), fresh enough, and
 * allowed. Tokens state that this was proven, and nothing else.
 */
export async function countingFactors(
  deps: Pick<SignedInDeps, "settings">,
  call: Call,
  session: Session,
  since: Instant | undefined,
): Promise<Factors> {
  const { instanceId } = call;
  const { settings } = await deps.settings.get("login", { instanceId, organizationId: session.organizationId });
  const fresh = await freshFactorsOf(deps, call, session);
  return allowedFactors(since === undefined ? fresh : checkedSince(fresh, since), settings);
}

const secondFactorOf = {
  totpCheckedAt: "totp",
  otpSmsCheckedAt: "otp_sms",
  otpEmailCheckedAt: "otp_email",
  recoveryCodeCheckedAt: "recovery_codes",
} as const satisfies Partial<Record<keyof Factors, SecondFactor>>;

/** Returns what was checked, without what the login settings do not allow to sign in with. */
function allowedFactors(factors: Factors, settings: LoginSettings): Factors {
  const { passwordCheckedAt, intentCheckedAt, ...others } = factors;
  const first: Factors = {
    ...(passwordCheckedAt !== undefined && settings.allowLocalAuthentication && { passwordCheckedAt }),
    ...(intentCheckedAt !== undefined && settings.allowExternalIdp && { intentCheckedAt }),
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
