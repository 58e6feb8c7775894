import type { FactorCheck } from "../factor/index.ts";
import type { PasswordCheckOutcome } from "../password/index.ts";
import type { SignInCheck, SignInStep } from "../sign-in-attempt/index.ts";

export const passedPassword: SignInStep = { check: "password", outcome: "passed" };
export const throttled: SignInStep = { check: "password", outcome: "throttled" };
export const scriptRefused: SignInStep = { check: "script", outcome: "refused" };
export const localNotAllowed: SignInStep = {
  check: "password",
  outcome: "not_allowed",
  setting: "allow_local_authentication",
};
export const notActive: SignInStep = { check: "name", outcome: "not_allowed", setting: "user_state" };

/** Returns what administrators are told of a password that signs its user in no further. */
export function stepsOfPassword(check: PasswordCheckOutcome): SignInStep[] {
  switch (check.outcome) {
    // It is right, and the user is not active.
    case "correct":
      return [passedPassword, notActive];
    case "suspended":
      return [{ check: "password", outcome: "refused" }];
    case "wrong": {
      const { failedAttempts, blockedBy } = check;
      const wrong: SignInStep = { check: "password", outcome: "wrong", failedAttempts };
      return blockedBy === undefined ? [wrong] : [wrong, blocked("password", blockedBy)];
    }
    case "blocked":
      return [blocked("password", check.blockedBy)];
    case "resting":
      return [throttled];
    case "impossible":
      if (check.reason === "not_active") return [notActive];
      // That the name is unknown, the record itself says.
      return check.reason === "unknown" ? [] : [{ check: "password", outcome: "absent" }];
    default:
      return check satisfies never;
  }
}

/** Returns the same of a code; nothing of one that is missing. */
export function stepsOfCode(kind: SignInCheck, check: Exclude<FactorCheck, { outcome: "correct" }>): SignInStep[] {
  switch (check.outcome) {
    case "wrong": {
      const { failedAttempts, blockedBy } = check;
      const wrong: SignInStep = { check: kind, outcome: "wrong", failedAttempts };
      return blockedBy === undefined ? [wrong] : [wrong, blocked(kind, blockedBy)];
    }
    case "blocked":
      return [blocked(kind, check.blockedBy)];
    case "absent":
      return [{ check: kind, outcome: "absent" }];
    case "unchallenged":
      return [{ check: kind, outcome: "expired" }];
    case "missing":
      return [];
    default:
      return check satisfies never;
  }
}

const blocked = (check: SignInCheck, value: number | undefined): SignInStep => ({
  check,
  outcome: "blocked",
  setting: check === "password" ? "lockout_password_attempts" : "lockout_otp_attempts",
  value,
});
