import type { Budgets } from "../../base/budget/budgets.ts";
import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { addressKey } from "../../base/names/address-key.ts";
import { type Call, guessSourceOf } from "../../call/index.ts";

/** Whose password is guessed at, and by which name or in which session of theirs. */
interface Guess {
  readonly userId: string | undefined;
  readonly loginName?: string;
  readonly knownBy?: string | undefined;
  /** When the password was set: guesses at the one before it say nothing about it. */
  readonly passwordChangedAt?: Instant | null | undefined;
}

/** Counts the guesses of one source, or of one browser that the user knows, at one user. */
export interface GuessThrottle {
  /**
   * Throws the Fault `password.throttled` after too many wrong guesses, having taken as long as an evaluation. Returns
   * the milliseconds to wait where only the guesses by other names were too many: no answer may reveal it.
   */
  enter(evaluate: () => Promise<unknown>): Promise<number>;
  wrong(): void;
  right(): void;
}

/**
 * Creates the throttle of one guess. Wrong guesses of a source slow down that source alone. A browser in which the user
 * signed in before has an allowance of its own, so that strangers cannot keep its user out; there a guess counts before
 * it is evaluated, because nothing else holds up parallel ones. It is counted for the session of then (`knownBy`): the
 * secret of the browser is another one after each sign-in of another user.
 *
 * Guesses of a sign-in application count for what it says of its user (`guessSourceOf`); where it says nothing, only
 * the delays after wrong guesses from all sources slow them down.
 *
 * Where users are known by the name that was typed, guesses count for the name and for the user. Only the count of the
 * name is told, and every name has one: that of the user would tell which names exist, and which of them are one
 * user's.
 */
export function createThrottle(
  { budgets }: { readonly budgets: Budgets },
  call: Call,
  { userId, loginName, knownBy, passwordChangedAt }: Guess,
): GuessThrottle {
  const { instanceId, now } = call;
  const source = guessSourceOf(call);
  const of = (subject: string) => ({ instanceId, now, subject, source: source ?? "" });
  const user = userId === undefined ? undefined : of(`${userId} ${passwordChangedAt ?? ""}`);
  // A name as users are found by it: what is one name to them is one name here.
  const name = loginName === undefined ? undefined : of(`name ${addressKey(loginName)}`);
  const own = user ?? name;
  if (knownBy !== undefined && own !== undefined) {
    const ofBrowser = { instanceId, now, subject: `${own.subject}\n${knownBy}` };
    return {
      enter: async (evaluate) => {
        await refuse(budgets.take("password_of_browser", ofBrowser), evaluate);
        return 0;
      },
      wrong: () => {},
      right: () => budgets.giveBack("password_of_browser", ofBrowser),
    };
  }
  const counts = source === undefined ? [] : [name, user].filter((each) => each !== undefined);
  return {
    enter: async (evaluate) => {
      const [told = 0, ...others] = counts.map((each) => budgets.peek("password_of_source", each));
      await refuse(told, evaluate);
      return Math.max(0, ...others);
    },
    wrong: () => {
      for (const each of counts) budgets.take("password_of_source", each);
    },
    right: () => {},
  };
}

async function refuse(wait: number, evaluate: () => Promise<unknown>): Promise<void> {
  if (wait === 0) return;
  await evaluate();
  throw passwordThrottled(Math.ceil(wait / 1000));
}

/** Returns the refusal of a guess that comes too early. */
export const passwordThrottled = (seconds: number): Fault =>
  new Fault("resource_exhausted", "password.throttled", { values: { seconds } });
