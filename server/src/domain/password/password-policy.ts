import { Fault } from "../../base/fault.ts";
import { isCommonPassword } from "../../base/password/common-password.ts";
import { normalizePassword } from "../../base/password/password.ts";
import { findFailedPasswordRules, type PasswordRule } from "../../base/password/password-rules.ts";
import type { PasswordComplexitySettings } from "../settings/index.ts";

const refusals = {
  min_length: "user.password_too_short",
  max_length: "password.too_long",
  uppercase: "user.password_without_uppercase",
  lowercase: "user.password_without_lowercase",
  number: "user.password_without_number",
  symbol: "user.password_without_symbol",
} as const satisfies Record<PasswordRule, string>;

/**
 * Refuses a new password that the settings do not allow, naming the first rule that it breaks. Also refuses what
 * guessers try early: a common password, or one made of the words around it (names, addresses).
 */
export function checkNewPassword(
  password: string,
  settings: PasswordComplexitySettings,
  contextWords: readonly string[],
): void {
  const field = "password";
  const normalized = normalizePassword(password);
  const [failed] = findFailedPasswordRules(normalized, {
    minLength: settings.minLength,
    hasUppercase: settings.requiresUppercase,
    hasLowercase: settings.requiresLowercase,
    hasNumber: settings.requiresNumber,
    hasSymbol: settings.requiresSymbol,
  });
  if (failed !== undefined) {
    throw new Fault("invalid_argument", refusals[failed], { field, values: { minimum: settings.minLength } });
  }
  if (settings.refusesCommon && isCommonPassword(normalized, contextWords)) {
    throw new Fault("invalid_argument", "user.password_common", { field });
  }
}

/** Returns words that a user's password must not be made of. */
export function contextWordsOf(user: {
  readonly username: string;
  readonly email: string;
  readonly givenName: string;
  readonly familyName: string;
}): readonly string[] {
  return [
    user.username,
    user.email,
    user.givenName,
    user.familyName,
    `${user.givenName}${user.familyName}`,
    "doorward",
  ];
}
