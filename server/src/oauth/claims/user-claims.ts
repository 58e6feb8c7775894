import { toNumericDate } from "../../base/clock.ts";
import type { User } from "../../domain/user/index.ts";

/** A user with the address of their picture; empty without a picture. */
export interface Described {
  readonly user: User;
  readonly picture: string;
}

/**
 * Returns the claims of the standard scopes about a user (OpenID Connect Core §5.1, §5.4). Empty values are left out;
 * `false` is not empty.
 */
export function userClaims({ user, picture }: Described, scope: ReadonlySet<string>): Record<string, unknown> {
  return {
    ...(scope.has("profile") && profileClaims(user, picture)),
    ...(scope.has("email") && user.kind === "human" && emailClaims(user)),
    ...(scope.has("phone") && user.kind === "human" && phoneClaims(user)),
  };
}

/** Returns claims about a user by name (OpenID Connect Core §5.5), regardless of the scope. */
export function namedUserClaims(described: Described, names: readonly string[]): Record<string, unknown> {
  const all = userClaims(described, new Set(["profile", "email", "phone"]));
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** Names of the supported claims about users. */
export const userClaimNames = [
  "name",
  "given_name",
  "family_name",
  "nickname",
  "picture",
  "preferred_username",
  "gender",
  "locale",
  "updated_at",
  "email",
  "email_verified",
  "phone_number",
  "phone_number_verified",
] as const;

export const isUserClaim = (name: string): boolean => (userClaimNames as readonly string[]).includes(name);

function profileClaims(user: User, picture: string): Record<string, unknown> {
  const common = {
    name: user.displayName,
    preferred_username: user.preferredLoginName,
    updated_at: toNumericDate(user.details.changedAt),
  };
  if (user.kind === "machine") return common;
  const { profile } = user;
  return {
    ...common,
    given_name: profile.givenName,
    family_name: profile.familyName,
    ...(profile.nickName !== undefined && { nickname: profile.nickName }),
    ...(picture !== "" && { picture }),
    ...(profile.gender !== undefined && { gender: profile.gender }),
    ...(profile.preferredLanguage !== undefined && { locale: profile.preferredLanguage }),
  };
}

function emailClaims({ email }: Extract<User, { kind: "human" }>): Record<string, unknown> {
  return { email: email.address, email_verified: email.isVerified };
}

function phoneClaims({ phone }: Extract<User, { kind: "human" }>): Record<string, unknown> {
  return phone === undefined ? {} : { phone_number: phone.number, phone_number_verified: phone.isVerified };
}
