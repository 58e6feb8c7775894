import { Fault } from "../../../base/fault.ts";

/**
 * After how many failures in a row a factor is blocked until an administrator or a reset helps. 0: a password is never
 * blocked, but throttled more and more; a code after 100.
 */
export interface LockoutSettings {
  readonly maxPasswordAttempts: number;
  readonly maxOtpAttempts: number;
}

/**
 * Passwords are throttled and never blocked: strangers must not be able to lock a user out. A code is guessed at only
 * by those who know the password, and six digits withstand few guesses.
 */
export const defaultLockoutSettings: LockoutSettings = { maxPasswordAttempts: 0, maxOtpAttempts: 10 };

/** Refuses numbers that are not valid counts. */
export function checkLockoutSettings(settings: LockoutSettings): void {
  for (const field of ["maxPasswordAttempts", "maxOtpAttempts"] as const) {
    const attempts = settings[field];
    if (!(Number.isInteger(attempts) && attempts >= 0 && attempts <= 1000)) {
      throw new Fault("invalid_argument", "settings.lockout.attempts_invalid", { field });
    }
  }
}
