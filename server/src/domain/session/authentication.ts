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

/** Returns `amr` (RFC 8176): what was checked, and `mfa` when two kinds of factor were. */
export function authenticationMethodsOf(session: Pick<Session, "factors">): string[] {
  const methods = kindsOf(session).filter((kind) => kind !== "");
  return isMultiFactor(session) ? [...methods, "mfa"] : methods;
}

/** Returns whether two kinds of factor were checked, or an authenticator that verified the user. */
export function isMultiFactor(session: Pick<Session, "factors">): boolean {
  const { webAuthNCheckedAt, isUserVerified } = session.factors;
  return kindsOf(session).length > 1 || (webAuthNCheckedAt !== undefined && isUserVerified === true);
}

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
