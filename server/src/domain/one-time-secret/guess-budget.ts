import { hash } from "node:crypto";
import { minutes } from "../../base/clock.ts";
import { deleteBudget, giveBackToBudget, type Tx, takeFromBudget } from "../../database/index.ts";

const most = 5;
const cost = minutes(10) / most;

/** A guess at something that several sources may guess at. */
interface Guess {
  readonly kind: string;
  readonly subjectId: string;
}

/** Step: takes a guess of the call's source; false when that source has guessed too often at this very thing. */
export const takeGuess = (tx: Tx, guess: Guess): Promise<boolean> =>
  takeFromBudget(tx, { ...toRow(tx, guess), allowance: cost * most });

/** Step: returns the guess, because it was right. */
export const giveBackGuess = (tx: Tx, guess: Guess): Promise<void> => giveBackToBudget(tx, toRow(tx, guess));

/** Step: forgets the guesses of all sources, because there is something new to guess at. */
export const forgetGuesses = (tx: Tx, guess: Guess): Promise<void> => deleteBudget(tx, budgetOf(guess));

function toRow({ call: { source = "" } }: Tx, guess: Guess) {
  return { budget: budgetOf(guess), subject: hash("sha256", source, "base64url"), cost };
}

const budgetOf = ({ kind, subjectId }: Guess): string => `guesses_of_source ${kind} ${subjectId}`;
