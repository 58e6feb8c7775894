import { Fault } from "../../base/fault.ts";
import type { KeyCheck } from "./check-key.ts";

type CorrectKey = Extract<KeyCheck, { readonly outcome: "correct" }>;

/** Throws unless the answer of a key was valid; otherwise returns what it proves. */
export function refuseFailedKey(check: KeyCheck, field: string): CorrectKey {
  switch (check.outcome) {
    case "correct":
      return check;
    case "refused":
      throw new Fault("invalid_argument", "factor.key_refused", { field });
    case "unchallenged":
      throw new Fault("failed_precondition", "factor.challenge_absent", { field });
    default:
      return check satisfies never;
  }
}
