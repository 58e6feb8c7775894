import { countCodePoints, maximumPasswordLength } from "./password.ts";

/** Requirements of the password complexity settings. */
export interface PasswordRequirements {
  /** In code points. */
  readonly minLength: number;
  readonly hasUppercase: boolean;
  readonly hasLowercase: boolean;
  readonly hasNumber: boolean;
  readonly hasSymbol: boolean;
}

export type PasswordRule = "min_length" | "max_length" | "uppercase" | "lowercase" | "number" | "symbol";

/** Returns the rules that the password violates, in the order of the settings. Letters of every script count. */
export function findFailedPasswordRules(password: string, requirements: PasswordRequirements): readonly PasswordRule[] {
  const normalized = password.normalize("NFC");
  const length = countCodePoints(normalized);
  const checks: readonly [PasswordRule, boolean][] = [
    ["min_length", length >= requirements.minLength],
    ["max_length", length <= maximumPasswordLength],
    ["uppercase", !requirements.hasUppercase || /\p{Lu}/u.test(normalized)],
    ["lowercase", !requirements.hasLowercase || /\p{Ll}/u.test(normalized)],
    ["number", !requirements.hasNumber || /\p{Nd}/u.test(normalized)],
    ["symbol", !requirements.hasSymbol || /[^\p{L}\p{M}\p{N}]/u.test(normalized)],
  ];
  return checks.filter(([, isMet]) => !isMet).map(([rule]) => rule);
}
