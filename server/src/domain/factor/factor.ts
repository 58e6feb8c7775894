import type { Instant } from "../../base/clock.ts";

/** Factors whose codes are typed, and guessed. */
export type CodeFactor = "totp" | "otp_email" | "otp_sms" | "recovery_codes";

/** Factors that sign. */
export type KeyFactor = "passkey" | "u2f";

/** What a person proves himself with besides a password. */
export type FactorKind = CodeFactor | KeyFactor;

/** A kind of factor that somebody has. */
export interface Factor {
  readonly kind: FactorKind;
  /** `pending`: its registration was not completed. */
  readonly state: "pending" | "ready";
}

/** A factor as it is held for a check. */
export interface HeldFactor extends Factor {
  /** Opened by the vault. */
  readonly sealedSecret: string | null;
  readonly blockedAt: Instant | null;
}

/** Whose factor it is. */
export interface FactorUser {
  readonly userId: string;
  readonly organizationId: string;
}

/** What a check found. Nothing is thrown for a wrong code, because the count of it must be committed. */
export type FactorCheck =
  | { readonly outcome: "correct" }
  | { readonly outcome: "wrong"; readonly failedAttempts: number }
  /** Too many wrong ones; not evaluated. */
  | { readonly outcome: "blocked" }
  /** The person does not have this factor; not evaluated. */
  | { readonly outcome: "absent" }
  /** No challenge waits for an answer: none was made, it was answered, or it is too old; not evaluated. */
  | { readonly outcome: "unchallenged" };
