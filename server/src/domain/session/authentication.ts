import type { Instant } from "../../base/clock.ts";
import type { Session } from "./session.ts";

// RFC 8176 §2, but for `user`, which passkeys and security keys say: somebody was there.
const methodOf = {
  passwordCheckedAt: "pwd",
  totpCheckedAt: "otp",
  otpSmsCheckedAt: "otp",
  otpEmailCheckedAt: "otp",
  recoveryCodeCheckedAt: "otp",
  webAuthNCheckedAt: "user",
  // Somebody else said who it is: a factor, for which there is no word in `amr`.
  intentCheckedAt: "",
} as const satisfies Partial<Record<keyof Session["factors"], string>>;

const proofs = Object.keys(methodOf) as (keyof typeof methodOf)[];

/** `auth_time`: the last active authentication (OpenID Connect Core §2); undefined while somebody is only named. */
export function authTimeOf({ factors }: Pick<Session, "factors">): Instant | undefined {
  const instants = proofs.flatMap((proof) => factors[proof] ?? []);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

/** `amr` (RFC 8176): what was checked, and `mfa` when it is of two kinds. */
export function authenticationMethodsOf(session: Pick<Session, "factors">): string[] {
  const methods = kindsOf(session).filter((kind) => kind !== "");
  return isMultiFactor(session) ? [...methods, "mfa"] : methods;
}

/** Whether two kinds of factor were checked, or an authenticator that verified the person itself. */
export function isMultiFactor(session: Pick<Session, "factors">): boolean {
  const { webAuthNCheckedAt, isUserVerified } = session.factors;
  return kindsOf(session).length > 1 || (webAuthNCheckedAt !== undefined && isUserVerified === true);
}

/** Whether somebody was signed in by the word of an identity provider, and not by what is checked here. */
export const isExternal = ({ factors }: Pick<Session, "factors">): boolean =>
  factors.intentCheckedAt !== undefined &&
  factors.passwordCheckedAt === undefined &&
  factors.webAuthNCheckedAt === undefined;

const kindsOf = ({ factors }: Pick<Session, "factors">): string[] => [
  ...new Set(proofs.filter((proof) => factors[proof] !== undefined).map((proof) => methodOf[proof])),
];
