import type { Secret } from "../../base/secret.ts";
import { ProviderRefused } from "./provider-refused.ts";

/**
 * A user as an identity provider knows them. Only `subject`, with the provider's id, identifies the account: names and
 * addresses can pass to other people.
 */
export interface ExternalIdentity {
  readonly subject: string;
  /** What people recognize the account by; the subject when there is nothing better. */
  readonly username: string;
  readonly email: string | undefined;
  /** True only when the provider vouches for it. */
  readonly isEmailVerified: boolean;
  readonly phone: string | undefined;
  readonly isPhoneVerified: boolean;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  readonly displayName: string | undefined;
  readonly nickName: string | undefined;
  readonly preferredLanguage: string | undefined;
  /** The session there, for providers that say when it ends. */
  readonly session?: ExternalSession | undefined;
  /** Everything that the provider reported, unchanged. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly tokens: {
    readonly accessToken?: Secret | undefined;
    readonly idToken?: Secret | undefined;
    readonly refreshToken?: Secret | undefined;
    /** The assertion of a SAML provider, as it was signed. */
    readonly assertion?: Secret | undefined;
  };
}

/** A session at a provider, as a logout names it (SAML Core §3.7.1). */
export interface ExternalSession {
  readonly nameId: string;
  /** Format and qualifiers of the name, as they were. */
  readonly nameIdValues: Readonly<Record<string, string>>;
  readonly sessionIndex: string | null;
}

type Claims = Readonly<Record<string, unknown>>;

const longestSubject = 200;
const longestText = 200;

/**
 * Builds an identity from standard claims (OpenID Connect Core §5.1). Throws `ProviderRefused` without a usable `sub`.
 */
export function fromClaims(claims: Claims, tokens: ExternalIdentity["tokens"]): ExternalIdentity {
  // OpenID Connect Core §2: a string; other types are not converted to one.
  const subject = readSubject(typeof claims["sub"] === "string" ? claims["sub"] : undefined);
  const email = textOf(claims["email"]);
  return {
    subject,
    username: textOf(claims["preferred_username"]) ?? email ?? subject,
    email,
    // "true", 1 and other values that resemble true are not accepted (CVE-2026-55076).
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

/** Reads the id of a user at a provider: a string, or a number that JSON represents exactly. */
export function readSubject(value: unknown): string {
  const subject = typeof value === "number" && Number.isSafeInteger(value) ? `${value}` : value;
  if (typeof subject !== "string" || subject === "" || subject.length > longestSubject || !isPlain(subject)) {
    throw new ProviderRefused("subject_missing");
  }
  return subject;
}

/** Reads a text of reasonable length without control characters; everything else stays in `raw` only. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || text.length > longestText || !isPlain(text) ? undefined : text;
}

// Half a surrogate pair is stored as U+FFFD, whichever it was: two accounts would become the same.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const isPlain = (text: string): boolean => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text);
