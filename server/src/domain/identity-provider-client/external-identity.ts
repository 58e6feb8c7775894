import type { Secret } from "../../base/secret.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** Somebody, as an identity provider knows him. With the provider's id, `subject` alone says who it is: names and addresses change hands. */
export interface ExternalIdentity {
  readonly subject: string;
  /** What people recognise it by; the subject when there is nothing better. */
  readonly username: string;
  readonly email: string | undefined;
  /** Only when the provider vouches for it. */
  readonly isEmailVerified: boolean;
  readonly phone: string | undefined;
  readonly isPhoneVerified: boolean;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  readonly displayName: string | undefined;
  readonly nickName: string | undefined;
  readonly preferredLanguage: string | undefined;
  /** Everything that was said, unchanged. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly tokens: {
    readonly accessToken?: Secret | undefined;
    readonly idToken?: Secret | undefined;
    readonly refreshToken?: Secret | undefined;
  };
}

type Claims = Readonly<Record<string, unknown>>;

const longestSubject = 200;
const longestText = 200;

/** An identity from standard claims (OpenID Connect Core §5.1). Throws `ProviderRefused` without a usable `sub`. */
export function fromClaims(claims: Claims, tokens: ExternalIdentity["tokens"]): ExternalIdentity {
  // OpenID Connect Core §2: a text, and nothing that is turned into one.
  const subject = readSubject(typeof claims["sub"] === "string" ? claims["sub"] : undefined);
  const email = textOf(claims["email"]);
  return {
    subject,
    username: textOf(claims["preferred_username"]) ?? email ?? subject,
    email,
    // "true", 1 and everything else that merely looks like it is not it (CVE-2026-55076).
    isEmailVerified: email !== undefined && claims["email_verified"] === true,
    phone: textOf(claims["phone_number"]),
    isPhoneVerified: claims["phone_number_verified"] === true,
    givenName: textOf(claims["given_name"]),
    familyName: textOf(claims["family_name"]),
    displayName: textOf(claims["name"]),
    nickName: textOf(claims["nickname"]),
    preferredLanguage: textOf(claims["locale"]),
    raw: claims,
    tokens,
  };
}

/** The id of a person at a provider: a text, or a number that is exactly what it was written as. */
export function readSubject(value: unknown): string {
  const subject = typeof value === "number" && Number.isSafeInteger(value) ? `${value}` : value;
  if (typeof subject !== "string" || subject === "" || subject.length > longestSubject || !isPlain(subject)) {
    throw new ProviderRefused("subject_missing");
  }
  return subject;
}

/** A text of usual length without control characters; whatever else a provider says is left in `raw`. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || text.length > longestText || !isPlain(text) ? undefined : text;
}

// Half a surrogate pair is stored as U+FFFD, whichever it was: two people would become one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const isPlain = (text: string): boolean => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text);
