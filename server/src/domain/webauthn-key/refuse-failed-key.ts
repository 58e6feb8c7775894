import { Fault } from "../../base/fault.ts";
import type { KeyCheck } from "./check-key.ts";

/** Throws unless the answer of a key was valid; otherwise returns whether the authenticator verified the user. */
export function refuseFailedKey(check: KeyCheck, field: string): boolean {
  switch (check.outcome) {
    case "correct":
      return check.isUserVerified;
    case "refused":
      throw new Fault("invalid_argument", "factor.key_refused", { field });
    case "unchallenged":
      throw new Fault("failed_precondition", "factor.challenge_absent", { field });
    default:
      return check satisfies never;
  }
}
