import { Fault } from "../../base/fault.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import type { Gender, Profile } from "./user.ts";

/** A profile as it is entered. */
export interface NewProfile {
  readonly givenName: string;
  readonly familyName: string;
  readonly nickName?: string | undefined;
  /** Defaults to given and family name. */
  readonly displayName?: string | undefined;
  readonly preferredLanguage?: string | undefined;
  readonly gender?: Gender | undefined;
}

/**
 * Parses a profile into what is stored: names without surrounding white space, the language tag in its canonical form.
 */
export function parseProfile(profile: NewProfile): Profile & { readonly displayName: string } {
  const givenName = parseName(profile.givenName, "profile.givenName");
  const familyName = parseName(profile.familyName, "profile.familyName");
  const nickName = parseOptionalName(profile.nickName, "profile.nickName");
  const preferredLanguage = parseLanguage(profile.preferredLanguage);
  return {
    givenName,
    familyName,
    displayName: parseOptionalName(profile.displayName, "profile.displayName") ?? `${givenName} ${familyName}`,
    ...(nickName !== undefined && { nickName }),
    ...(preferredLanguage !== undefined && { preferredLanguage }),
    ...(profile.gender !== undefined && { gender: profile.gender }),
  };
}

/** Parses a visible name of 1 to 200 characters. */
export function parseName(name: string, field: string): string {
  const trimmed = name.trim();
  if (trimmed.length < 1 || trimmed.length > 200 || hasInvisible(trimmed)) {
    throw new Fault("invalid_argument", "user.name_invalid", { field });
  }
  return trimmed;
}

function parseOptionalName(name: string | undefined, field: string): string | undefined {
  return name === undefined || name.trim() === "" ? undefined : parseName(name, field);
}

/** The tag for no particular language, with which the interface writes a language that is not set (BCP 47 §4.1). */
export const noLanguage = "und";

function parseLanguage(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === "" || tag === noLanguage) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch (cause) {
    throw new Fault("invalid_argument", "user.language_invalid", { field: "profile.preferredLanguage", cause });
  }
}
