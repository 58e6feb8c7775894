import { Fault } from "../../base/fault.ts";
import type { FactorCheck } from "./factor.ts";

/**
 * Throws unless the proof was right. Call it after the unit of work, so that the count of wrong guesses is committed.
 */
export function refuseFailedCheck(check: FactorCheck, field: string): void {
  switch (check.outcome) {
    case "correct":
      return;
    case "wrong":
      throw new Fault("invalid_argument", "factor.code_wrong", {
        field,
        values: { failedAttempts: check.failedAttempts },
      });
    case "missing":
      throw new Fault("invalid_argument", "sign_in.code_missing", { field });
    case "blocked":
      throw new Fault("failed_precondition", "factor.blocked", { field });
    case "absent":
      throw new Fault("failed_precondition", "factor.absent", { field });
    case "unchallenged":
      throw new Fault("failed_precondition", "factor.challenge_absent", { field });
    default:
      check satisfies never;
  }
}
