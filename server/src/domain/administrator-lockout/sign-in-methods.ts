import type { Instant } from "../../base/clock.ts";
import { type FactorKind, isFactorByItself } from "../factor/index.ts";
import {
  type Factors,
  factorsOfAllowedKinds,
  hasFirstFactor,
  joinChecks,
  type SignInDemand,
  wouldSuffice,
} from "../session/index.ts";
import { type LoginSettings, offersReset } from "../settings/index.ts";
import { allowedSecondFactors, type SecondFactorKind, takesAnyKey } from "../sign-in-method/index.ts";

/** A passkey or security key that lets its user in. */
interface Key {
  readonly isPasskey: boolean;
  readonly isFromMessage: boolean;
  readonly isOneFactor: boolean;
}

/** What a user has to sign in with, besides accounts at providers. Only what lets the user in counts. */
export interface Means {
  readonly demand: SignInDemand;
  readonly hasPassword: boolean;
  /** Whether a message to their address lets the user set a password. */
  readonly hasGoodAddress: boolean;
  /** The kinds of factor that are ready. */
  readonly ready: readonly FactorKind[];
  readonly keys: readonly Key[];
  /** Whether the user could set up codes in messages, by channel. */
  readonly isReachable: Readonly<Record<"otp_email" | "otp_sms", boolean>>;
}

/** What decides which of it counts. */
export interface Conditions {
  readonly login: LoginSettings;
  /** Whether the user has an account at a provider that is offered, and that may vouch for them. */
  readonly isVouchedFor: boolean;
  readonly now: Instant;
}

/** What a sign-in begins with. `message`: a password that is set with a message. */
export type FirstFactor = "password" | "passkey" | "provider" | "message";

/**
 * `complete`: a method of signing in. `incomplete`: the first factor counts, and no second one that has to follow does.
 */
export type SignInMethods = Partial<Record<FirstFactor, "complete" | "incomplete">>;

/**
 * Returns the methods that a user has to sign in under login settings, by first factor. The rules of the sign-in itself
 * decide: it is asked whether the checks that the user could make now would be enough. Recovery codes only stand in for
 * a factor and run out, so they are no method.
 */
export function signInMethods(means: Means, conditions: Conditions): SignInMethods {
  const { login } = conditions;
  const found = beginningsOf(means, conditions)
    .filter(({ checks }) => hasFirstFactor({ factors: factorsOfAllowedKinds(checks, login) }))
    .map(({ first, checks, key }) => {
      const others = means.keys.filter((each) => each !== key);
      const isComplete = additionsOf({ ...means, keys: others }, conditions).some((added) =>
        wouldSuffice(joinChecks(checks, added), demandAfter(first, means), login),
      );
      return { first, isComplete };
    });
  const firsts = [...new Set(found.map(({ first }) => first))];
  return Object.fromEntries(
    firsts.map((first) => {
      const isComplete = found.some((each) => each.first === first && each.isComplete);
      return [first, isComplete ? "complete" : "incomplete"];
    }),
  );
}

interface Beginning {
  readonly first: FirstFactor;
  readonly checks: Factors;
  /** The passkey that was used. */
  readonly key?: Key;
}

function beginningsOf(means: Means, { login, isVouchedFor, now }: Conditions): Beginning[] {
  const password = { passwordCheckedAt: now };
  return [
    ...(means.hasPassword ? [{ first: "password" as const, checks: password }] : []),
    ...(means.hasGoodAddress && offersReset(login) ? [{ first: "message" as const, checks: password }] : []),
    ...means.keys
      .filter(({ isPasskey }) => isPasskey)
      .map((key) => ({ first: "passkey" as const, checks: checkOfKey(key, now), key })),
    ...(isVouchedFor ? [{ first: "provider" as const, checks: { intentCheckedAt: now } }] : []),
  ];
}

// A user who just set a password has one.
const demandAfter = (first: FirstFactor, { demand }: Means): SignInDemand =>
  first === "message" ? { ...demand, hasFirstFactor: 1 } : demand;

const checkOfKey = ({ isPasskey, isOneFactor }: Key, now: Instant): Factors => ({
  webAuthNCheckedAt: now,
  isUserVerified: isPasskey,
  isOneFactor,
});

/**
 * Returns what the user could add to a first factor: every second factor that they have and the login asks for, or one
 * that they set up in the attempt, where they have none at all.
 */
function additionsOf({ ready, keys, isReachable }: Means, { login, now }: Conditions): Factors[] {
  const allowed = allowedSecondFactors(login);
  const securityKey = { isPasskey: false, isFromMessage: false, isOneFactor: false };
  const checks: Readonly<Record<Exclude<SecondFactorKind, "key" | "recovery_codes">, Factors>> = {
    totp: { totpCheckedAt: now },
    otp_sms: { otpSmsCheckedAt: now },
    otp_email: { otpEmailCheckedAt: now },
  };
  if (!ready.some(isFactorByItself)) {
    const addable = allowed.flatMap((kind) => {
      if (kind === "recovery_codes") return [];
      if (kind === "key") return [checkOfKey(securityKey, now)];
      return kind === "totp" || isReachable[kind] ? [checks[kind]] : [];
    });
    return [{}, ...addable];
  }
  const codes: Factors = Object.assign(
    {},
    ...allowed.map((kind) => (kind !== "key" && kind !== "recovery_codes" && ready.includes(kind) ? checks[kind] : {})),
  );
  const asked = allowed.includes("key") ? keys.filter((key) => takesAnyKey(ready) || !key.isFromMessage) : [];
  return [codes, ...asked.map((key) => ({ ...codes, ...checkOfKey(key, now) }))];
}
