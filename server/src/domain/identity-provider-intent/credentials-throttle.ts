import type { Budgets } from "../../base/budget/budgets.ts";
import { addressKey } from "../../base/names/address-key.ts";
import type { Call } from "../../call/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import { passwordThrottled } from "../password/index.ts";

/** A guess at a password in a directory. */
export interface CredentialsGuess {
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
  const of = { instanceId, now, subject: `directory ${identityProviderId} ${addressKey(username)}` };
  const ofSource = { ...of, source };
  const giveBackSource = (): void => budgets.giveBack("password_of_source", ofSource);
  refuse(budgets.take("password_of_source", ofSource));
  const wait = budgets.take("passwords_at_directory", of);
  if (wait > 0) giveBackSource();
  refuse(wait);
  return {
    giveBack: () => {
      giveBackSource();
      budgets.giveBack("passwords_at_directory", of);
    },
  };
}

function refuse(wait: number): void {
  if (wait > 0) throw passwordThrottled(Math.ceil(wait / 1000));
}
