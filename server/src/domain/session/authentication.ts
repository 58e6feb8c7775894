import type { Instant } from "../../base/clock.ts";
import type { Session } from "./session.ts";

// Values of RFC 8176 §2. For passkeys and security keys it is `user`: the user was present.
const methodOf = {
  passwordCheckedAt: "pwd",
  totpCheckedAt: "otp",
  otpSmsCheckedAt: "otp",
  otpEmailCheckedAt: "otp",
  recoveryCodeCheckedAt: "otp",
  webAuthNCheckedAt: "user",
  // An identity provider vouched for the user: a factor without a value in `amr`.
  intentCheckedAt: "",
} as const satisfies Partial<Record<keyof Session["factors"], string>>;

const proofs = Object.keys(methodOf) as (keyof typeof methodOf)[];

/**
 * Returns `auth_time`: the last active authentication (OpenID Connect Core §2); undefined while the user is only named.
 */
export function authTimeOf({ factors }: Pick<Session, "factors">): Instant | undefined {
  const instants = proofs.flatMap((proof) => factors[proof] ?? []);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

/** Returns `amr` (RFC 8176): what was checked, and `mfa` when two factors were. */
export function authenticationMethodsOf(session: Pick<Session, "factors">): string[] {
  const methods = kindsOf(session).filter((kind) => kind !== "");
  return isMultiFactor(session) ? [...methods, "mfa"] : methods;
}

/**
 * Returns whether a first factor and one beside it were checked, or an authenticator that verified the user. A
 * password, a provider's word and a key that a message opened are first factors alike: a reader of the user's messages
 * can have all of them.
 */
export function isMultiFactor({ factors }: Pick<Session, "factors">): boolean {
  const { webAuthNCheckedAt, isUserVerified, isOneFactor = false, ...others } = factors;
  if (webAuthNCheckedAt !== undefined && isUserVerified === true && !isOneFactor) return true;
  const { passwordCheckedAt, intentCheckedAt, ...codes } = others;
  const hasFirst = [passwordCheckedAt, intentCheckedAt, isOneFactor ? webAuthNCheckedAt : undefined].some(isChecked);
  const second = { ...codes, ...(!isOneFactor && webAuthNCheckedAt !== undefined && { webAuthNCheckedAt }) };
  const kinds = kindsOf({ factors: second }).length;
  return kinds + (hasFirst ? 1 : 0) > 1;
}

const isChecked = (at: Instant | undefined): boolean => at !== undefined;

/**
 * Returns whether what a sign-in begins with was checked: a password, a provider's word, or an authenticator that
 * verified the user. Codes, and keys that only tested presence, add to a first factor and never replace it.
 */
export const hasFirstFactor = ({ factors }: Pick<Session, "factors">): boolean =>
  factors.passwordCheckedAt !== undefined ||
  factors.intentCheckedAt !== undefined ||
  (factors.webAuthNCheckedAt !== undefined && factors.isUserVerified === true);

/** Returns whether an identity provider vouched for the user, and neither a password nor a key was checked here. */
export const isExternal = ({ factors }: Pick<Session, "factors">): boolean =>
  factors.intentCheckedAt !== undefined &&
  factors.passwordCheckedAt === undefined &&
  factors.webAuthNCheckedAt === undefined;

const kindsOf = ({ factors }: Pick<Session, "factors">): string[] => [
  ...new Set(proofs.filter((proof) => factors[proof] !== undefined).map((proof) => methodOf[proof])),
];
