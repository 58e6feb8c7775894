import { Fault } from "../fault.ts";

/** Most code points of a password. Longer ones are rejected, never truncated. */
export const maximumPasswordLength = 1000;

// NFC spells a character with fewer code points than any other form, at most eight times fewer UTF-16 units.
const mostUnits = maximumPasswordLength * 8;

/**
 * Returns the form in which a password is counted and hashed: NFC (NIST 800-63B §3.1.1.2), which changes only how a
 * character is encoded. Throws the Faults `password.too_long` and `password.malformed`.
 */
export function normalizePassword(password: string): string {
  if (password.length > mostUnits) throw tooLong();
  // A lone surrogate has no UTF-8 form. Encoders write the same substitute for all of them, which would make different
  // passwords equal.
  if (!password.isWellFormed()) throw new Fault("invalid_argument", "password.malformed");
  const normalized = password.normalize("NFC");
  if (countCodePoints(normalized) > maximumPasswordLength) throw tooLong();
  return normalized;
}

/** Counts the characters of a password as a person does: code points, not UTF-16 units or bytes. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const tooLong = (): Fault =>
  new Fault("invalid_argument", "password.too_long", { values: { maximum: maximumPasswordLength } });
