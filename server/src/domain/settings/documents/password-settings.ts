import { Fault } from "../../../base/fault.ts";

/** What a new password must be like. */
export interface PasswordComplexitySettings {
  /** Characters (code points). */
  readonly minLength: number;
  readonly requiresUppercase: boolean;
  readonly requiresLowercase: boolean;
  readonly requiresNumber: boolean;
  readonly requiresSymbol: boolean;
  /** Refuse passwords that many people use (NIST SP 800-63B §5.1.1.2). */
  readonly refusesCommon: boolean;
}

/** Long and not common, without rules of composition: NIST SP 800-63B §5.1.1.2. */
export const defaultPasswordComplexitySettings: PasswordComplexitySettings = {
  minLength: 12,
  requiresUppercase: false,
  requiresLowercase: false,
  requiresNumber: false,
  requiresSymbol: false,
  refusesCommon: true,
};

/** How long a password may be in use. */
export interface PasswordExpirySettings {
  /** 0: unlimited. */
  readonly maxAgeDays: number;
  /** How many days before the end users are warned. 0: never. */
  readonly expireWarnDays: number;
}

export const defaultPasswordExpirySettings: PasswordExpirySettings = { maxAgeDays: 0, expireWarnDays: 0 };

/** Refuses a minimum below 8, or above what a user can be asked for. */
export function checkPasswordComplexitySettings(settings: PasswordComplexitySettings): void {
  if (!(Number.isInteger(settings.minLength) && settings.minLength >= 8 && settings.minLength <= 64)) {
    throw new Fault("invalid_argument", "settings.password.min_length_invalid", { field: "minLength" });
  }
}

/** Refuses ages that are not a number of days, and a warning that would precede the password itself. */
export function checkPasswordExpirySettings(settings: PasswordExpirySettings): void {
  if (!isDays(settings.maxAgeDays))
    throw new Fault("invalid_argument", "settings.days_invalid", { field: "maxAgeDays" });
  const isWarningLate = settings.maxAgeDays === 0 || settings.expireWarnDays < settings.maxAgeDays;
  if (!isDays(settings.expireWarnDays) || !isWarningLate) {
    throw new Fault("invalid_argument", "settings.days_invalid", { field: "expireWarnDays" });
  }
}

const isDays = (days: number): boolean => Number.isInteger(days) && days >= 0 && days <= 3650;
