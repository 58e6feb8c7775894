import type { Instant } from "../../base/clock.ts";

/** Factors with codes that are typed, and can therefore be guessed. */
export type CodeFactor = "totp" | "otp_email" | "otp_sms" | "recovery_codes";

/** Factors that sign. */
export type KeyFactor = "passkey" | "u2f";

/** What a user can authenticate with besides a password. */
export type FactorKind = CodeFactor | KeyFactor;

/** A kind of factor that a user has. */
export interface Factor {
  readonly kind: FactorKind;
  /** `pending`: its registration was not completed. */
  readonly state: "pending" | "ready";
  /** Since when too many wrong guesses block it. */
  readonly blockedAt: Instant | null;
}

/** A factor that is locked for a check. */
export interface HeldFactor extends Factor {
  /** Encrypted by the vault. */
  readonly sealedSecret: string | null;
}

/** The owner of a factor. */
export interface FactorUser {
  readonly userId: string;
  readonly organizationId: string;
}

/** The result of a check. A wrong code is returned and not thrown, because its count must be committed. */
export type FactorCheck =
  | { readonly outcome: "correct" }
  /** `blockedBy`: it was one too many, by this number. */
  | { readonly outcome: "wrong"; readonly failedAttempts: number; readonly blockedBy?: number }
  /** No code was entered: a missing field, and no guess. */
  | { readonly outcome: "missing" }
  /** Too many wrong codes, by this number; not evaluated. */
  | { readonly outcome: "blocked"; readonly blockedBy: number }
  /** The user does not have this factor; not evaluated. */
  | { readonly outcome: "absent" }
  /** There is no challenge: none was created, or it was answered or has expired. The guess is not evaluated. */
  | { readonly outcome: "unchallenged" };
