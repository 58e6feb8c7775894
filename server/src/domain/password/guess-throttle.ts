import type { Budgets } from "../../base/budget/budgets.ts";
import { Fault } from "../../base/fault.ts";
import { foldCase } from "../../base/fold-case.ts";
import type { Call } from "../../call/index.ts";

/** Whose password is guessed at, and by which name or from which known browser. */
interface Guess {
  readonly userId: string | undefined;
  readonly loginName?: string;
  readonly knownBy?: string | undefined;
}

/** Counts the guesses of one source, or of one browser that the user knows, at one user. */
export interface GuessThrottle {
  /** Throws the Fault `password.throttled` after too many wrong guesses, having taken as long as an evaluation. */
  enter(evaluate: () => Promise<unknown>): Promise<void>;
  wrong(): void;
  right(): void;
}

/**
 * Creates the throttle of one guess. Wrong guesses of a source slow down that source alone. A browser in which the user
 * signed in before has an allowance of its own, so that strangers cannot keep its user out; there a guess counts before
 * it is evaluated, because nothing else holds up parallel ones.
 */
export function createThrottle(
  { budgets }: { readonly budgets: Budgets },
  { instanceId, now, source = "" }: Call,
  { userId, loginName = "", knownBy }: Guess,
): GuessThrottle {
  // Names that no user has are throttled as well: otherwise the throttle would tell which ones exist.
  const whose = userId ?? `name ${foldCase(loginName)}`;
  const name = knownBy === undefined ? "password_of_source" : "password_of_browser";
  const of = { instanceId, now, subject: `${whose}\n${knownBy ?? source}` };
  return {
    enter: async (evaluate) => {
      const wait = knownBy === undefined ? budgets.peek(name, of) : budgets.take(name, of);
      if (wait === 0) return;
      await evaluate();
      throw passwordThrottled(Math.ceil(wait / 1000));
    },
    wrong: () => {
      if (knownBy === undefined) budgets.take(name, of);
    },
    right: () => {
      if (knownBy !== undefined) budgets.giveBack(name, of);
    },
  };
}

/** Returns the refusal of a guess that comes too early. */
export const passwordThrottled = (seconds: number): Fault =>
  new Fault("resource_exhausted", "password.throttled", { values: { seconds } });
