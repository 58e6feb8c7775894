import type { BudgetName, Budgets } from "../../base/budget/budgets.ts";
import { blockOf } from "../../base/budget/network-of.ts";
import { hashSecret } from "../../base/secret.ts";
import { type Call, guessSourceOf } from "../../call/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import { passwordThrottled } from "../password/index.ts";

/** A guess at a password in a directory. */
interface CredentialsGuess {
  /** Counts it for an account as well, whose names a guesser could vary. Whether it may go on. */
  mayGuess(account: string): boolean;
  /** Takes the guess out of the count: it was right, or the directory gave no verdict. */
  giveBack(): void;
}

/** For which name a password is guessed, and in which session that this name opened in the browser of the guess. */
interface GuessedName {
  /** The name as names are compared. */
  readonly name: string;
  readonly knownBy: string | undefined;
}

type DirectoryBudget = Extract<
  BudgetName,
  "password_of_browser" | "directory_passwords_of_block" | "passwords_at_directory"
>;

/**
 * Counts a guess before the directory is asked, so that parallel guesses do not exceed the budgets: that of the name,
 * from all sources together, and the half of it that one source may use. Directories lock accounts after wrong guesses,
 * and would otherwise do so as fast as strangers like. A browser in which this name was entered with its password has
 * an allowance of its own instead, so that strangers cannot keep its user out. It is counted for the session that was
 * opened then: a sign-in of another user gives the browser another secret, but not another allowance. A sign-in
 * application says for which source and browser it passes a guess on. Throws the Fault `password.throttled`.
 */
export function takeCredentialsGuess(
  { budgets }: { readonly budgets: Budgets },
  call: Call,
  { identityProviderId }: Pick<IdentityProvider, "identityProviderId">,
  { name, knownBy }: GuessedName,
): CredentialsGuess {
  const { instanceId, now, caller } = call;
  // What one sign-in application passes on without saying for whom is one source, so it leaves half to all others.
  const source = guessSourceOf(call) ?? `login ${caller?.userId}`;
  const taken: (() => void)[] = [];
  const giveBack = (): void => {
    for (const undo of taken.splice(0)) undo();
  };
  const takeOne = (budget: DirectoryBudget, subject: string): number => {
    const of = { instanceId, now, subject };
    const wait = budgets.take(budget, of);
    if (wait === 0) taken.push(() => budgets.giveBack(budget, of));
    return wait;
  };
  // As a digest: neither who guesses nor a directory decides how long it is.
  const subjectOf = (guessed: string): string => `directory ${identityProviderId} ${hashSecret(guessed)}`;
  /** Returns the milliseconds to wait, and counts where there are none. */
  const take = (guessed: string): number => {
    const subject = subjectOf(guessed);
    const wait = takeOne("directory_passwords_of_block", `${subject}\n${blockOf(source)}`);
    return wait > 0 ? wait : takeOne("passwords_at_directory", subject);
  };
  const ofName = `name ${name}`;
  // Only the count of the name is told: that of the account would tell which names exist.
  const wait =
    knownBy === undefined ? take(ofName) : takeOne("password_of_browser", `${subjectOf(ofName)}\n${knownBy}`);
  if (wait > 0) {
    giveBack();
    throw passwordThrottled(Math.ceil(wait / 1000));
  }
  // A known browser has one name, so it cannot vary them.
  const mayGuess = (account: string): boolean => knownBy !== undefined || take(`account ${account}`) === 0;
  return { mayGuess, giveBack };
}
