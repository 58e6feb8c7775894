import { hash } from "node:crypto";
import { sharesOf } from "../../base/budget/network-of.ts";
import { minutes } from "../../base/clock.ts";
import { deleteBudget, findRestoredAt, giveBackToBudget, type Tx, takeFromBudget } from "../../database/index.ts";

const most = 5;
const allowance = minutes(10);
const cost = allowance / most;

/** A guess at something that several sources may guess at. */
interface Guess {
  readonly kind: string;
  readonly subjectId: string;
}

/**
 * Step: takes a guess of the call's source; false when it, or its block, has guessed too often at this very thing. Then
 * nothing was written, because a change without an event is refused: of several guesses at once each may be the last of
 * a block.
 */
export async function takeGuess(tx: Tx, guess: Guess): Promise<boolean> {
  const rows = rowsOf(tx, guess);
  for (const row of rows) {
    const restoredAt = await findRestoredAt(tx, row);
    if (restoredAt !== undefined && restoredAt > tx.now + allowance - row.cost) return false;
  }
  const [ofSource, ...ofBlocks] = rows;
  if (ofSource !== undefined && !(await takeFromBudget(tx, { ...ofSource, allowance }))) return false;
  for (const row of ofBlocks) await takeFromBudget(tx, { ...row, allowance });
  return true;
}

/** Step: returns the guess, because it was right. */
export async function giveBackGuess(tx: Tx, guess: Guess): Promise<void> {
  for (const row of rowsOf(tx, guess)) await giveBackToBudget(tx, row);
}

/** Step: forgets the guesses of all sources, because there is something new to guess at. */
export const forgetGuesses = (tx: Tx, guess: Guess): Promise<void> => deleteBudget(tx, budgetOf(guess));

const rowsOf = ({ call: { source = "" } }: Tx, guess: Guess) =>
  sharesOf(source).map(({ of, times }) => ({
    budget: budgetOf(guess),
    subject: hash("sha256", of, "base64url"),
    cost: cost / times,
  }));

const budgetOf = ({ kind, subjectId }: Guess): string => `guesses_of_source ${kind} ${subjectId}`;
