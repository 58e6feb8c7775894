import { Fault } from "../../base/fault.ts";

/** After how many failures in a row a factor is blocked until an administrator or a reset helps. 0: never. */
export interface LockoutSettings {
  readonly maxPasswordAttempts: number;
  readonly maxOtpAttempts: number;
}

/** NIST SP 800-63B §5.2.2: at most 100 for passwords; a code of six digits withstands far fewer guesses. */
export const defaultLockoutSettings: LockoutSettings = { maxPasswordAttempts: 100, maxOtpAttempts: 10 };

/** Refuses numbers that are not valid counts. */
export function checkLockoutSettings(settings: LockoutSettings): void {
  for (const [field, attempts] of Object.entries(settings)) {
    if (!(Number.isInteger(attempts) && attempts >= 0 && attempts <= 1000)) {
      throw new Fault("invalid_argument", "settings.lockout.attempts_invalid", { field });
    }
  }
}
