import type { Budgets } from "../../base/budget/budgets.ts";
import { addressKey } from "../../base/names/address-key.ts";
import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import { passwordThrottled } from "../password/index.ts";

/** A guess at a password in a directory. */
interface CredentialsGuess {
  /** Counts it for an account as well, whose names a guesser could vary. Whether it may go on. */
  mayGuess(account: string): boolean;
  /** Uncounts it: it was right, or the directory did not say. */
  giveBack(): void;
}

/**
 * Counts a guess before the directory is asked, so that parallel guesses do not exceed the budgets: that of the source,
 * as for passwords here, and that of the name, from all sources together. Directories lock accounts after wrong
 * guesses, and would otherwise do so as fast as strangers like. Throws the Fault `password.throttled`.
 */
export function takeCredentialsGuess(
  { budgets }: { readonly budgets: Budgets },
  { instanceId, now, source = "" }: Call,
  { identityProviderId }: Pick<IdentityProvider, "identityProviderId">,
  username: string,
): CredentialsGuess {
  const taken: (() => void)[] = [];
  const giveBack = (): void => {
    for (const undo of taken.splice(0)) undo();
  };
  /** Returns the milliseconds to wait, and counts where there are none. */
  const take = (subject: string): number => {
    // As a digest: neither who guesses nor a directory decides how long it is.
    const of = { instanceId, now, subject: `directory ${identityProviderId} ${hashSecret(subject)}` };
    const ofSource = { ...of, source };
    const wait = budgets.take("password_of_source", ofSource);
    if (wait > 0) return wait;
    taken.push(() => budgets.giveBack("password_of_source", ofSource));
    const waitOfAll = budgets.take("passwords_at_directory", of);
    if (waitOfAll === 0) taken.push(() => budgets.giveBack("passwords_at_directory", of));
    return waitOfAll;
  };
  // Only the count of the name is told: that of the account would tell which names exist.
  const wait = take(`name ${addressKey(username)}`);
  if (wait > 0) {
    giveBack();
    throw passwordThrottled(Math.ceil(wait / 1000));
  }
  return { mayGuess: (account) => take(`account ${account}`) === 0, giveBack };
}
