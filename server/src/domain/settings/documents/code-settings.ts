import { Fault } from "../../../base/fault.ts";

/**
 * Everything that is generated at random and read by users or programs, in the interface's terms "secret generators".
 */
export const codeNames = [
  "initialization",
  "email_verification",
  "phone_verification",
  "password_reset",
  "passkey_registration",
  "client_secret",
  "otp_sms",
  "otp_email",
  "invitation",
] as const;
export type CodeName = (typeof codeNames)[number];

/** How a code is generated. */
export interface CodeForm {
  readonly length: number;
  /** How long it is valid; 0 for client secrets, which do not expire. */
  readonly lifetimeSeconds: number;
  readonly includesLower: boolean;
  readonly includesUpper: boolean;
  readonly includesDigits: boolean;
  readonly includesSymbols: boolean;
}

/** The form of each kind of code in an instance. */
export type CodeSettings = Readonly<Record<CodeName, CodeForm>>;

const hour = 3600;
const day = 24 * hour;
const letters = { includesLower: false, includesUpper: true, includesDigits: true, includesSymbols: false } as const;
const digits = { ...letters, includesUpper: false } as const;

export const defaultCodeSettings: CodeSettings = {
  initialization: { ...letters, length: 6, lifetimeSeconds: 72 * hour },
  email_verification: { ...letters, length: 6, lifetimeSeconds: hour },
  phone_verification: { ...letters, length: 6, lifetimeSeconds: hour },
  password_reset: { ...letters, length: 6, lifetimeSeconds: hour },
  passkey_registration: { ...letters, length: 12, lifetimeSeconds: hour },
  client_secret: { ...letters, includesLower: true, length: 64, lifetimeSeconds: 0 },
  otp_sms: { ...digits, length: 8, lifetimeSeconds: 300 },
  otp_email: { ...digits, length: 8, lifetimeSeconds: 300 },
  invitation: { ...letters, length: 6, lifetimeSeconds: 72 * hour },
};

// NIST SP 800-63B-4 §3.1.3.2: a code that is sent is valid for ten minutes at most. Codes that begin an account may
// have to wait for a user on holiday.
const longestLifetime: Readonly<Record<CodeName, number>> = {
  initialization: 30 * day,
  email_verification: 7 * day,
  phone_verification: 7 * day,
  password_reset: 7 * day,
  passkey_registration: 7 * day,
  client_secret: 0,
  otp_sms: 600,
  otp_email: 600,
  invitation: 30 * day,
};

// Six decimal digits (NIST SP 800-63B-4 §3.2.2), where few guesses are allowed; client secrets can be guessed offline.
const leastBits = { code: Math.log2(1_000_000), clientSecret: 128 };
const longestCode = 200;

/** Refuses codes that could be guessed, or that are valid for too long. */
export function checkCodeSettings(settings: CodeSettings): void {
  for (const name of codeNames) {
    const form = settings[name];
    const { length, lifetimeSeconds } = form;
    const bits = length * Math.log2(Math.max(1, alphabetOf(form).length));
    const isStrong = bits >= (name === "client_secret" ? leastBits.clientSecret : leastBits.code);
    if (!Number.isInteger(length) || length > longestCode || !isStrong) {
      throw new Fault("invalid_argument", "settings.code_form_invalid", { field: "length" });
    }
    const least = name === "client_secret" ? 0 : 60;
    if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < least || lifetimeSeconds > longestLifetime[name]) {
      throw new Fault("invalid_argument", "settings.lifetime_invalid", { field: "expiry" });
    }
  }
}

/**
 * Returns the characters of a code. Leaves out lookalikes (capital I and O, small l and o, and, beside letters, 0 and
 * 1) and symbols that need escapes in addresses.
 */
export function alphabetOf({ includesLower, includesUpper, includesDigits, includesSymbols }: CodeForm): string {
  const numbers = includesLower || includesUpper ? "23456789" : "0123456789";
  return [
    includesUpper ? "ABCDEFGHJKLMNPQRSTUVWXYZ" : "",
    includesLower ? "abcdefghijkmnpqrstuvwxyz" : "",
    includesDigits ? numbers : "",
    includesSymbols ? "._~!*" : "",
  ].join("");
}
