import { hash } from "node:crypto";
import { sharesOf } from "../../base/budget/network-of.ts";
import { minutes } from "../../base/clock.ts";
import { guessSourceOf } from "../../call/index.ts";
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
 * Step: takes a guess of the call's source (`guessSourceOf`); "refused" when it, or its block, has guessed too often at
 * this very thing. Then nothing was written, because a change without an event is refused: of several guesses at once
 * each may be the last of a block. "uncounted" where the source is not known: nothing was written then either.
 */
export async function takeGuess(tx: Tx, guess: Guess): Promise<"counted" | "uncounted" | "refused"> {
  const rows = rowsOf(tx, guess);
  for (const row of rows) {
    const restoredAt = await findRestoredAt(tx, row);
    if (restoredAt !== undefined && restoredAt > tx.now + allowance - row.cost) return "refused";
  }
  const [ofSource, ...ofBlocks] = rows;
  if (ofSource === undefined) return "uncounted";
  if (!(await takeFromBudget(tx, { ...ofSource, allowance }))) return "refused";
  for (const row of ofBlocks) await takeFromBudget(tx, { ...row, allowance });
  return "counted";
}

/** Step: returns the guess, because it was right. */
export async function giveBackGuess(tx: Tx, guess: Guess): Promise<void> {
  for (const row of rowsOf(tx, guess)) await giveBackToBudget(tx, row);
}

/** Step: forgets the guesses of all sources, because there is something new to guess at. */
export const forgetGuesses = (tx: Tx, guess: Guess): Promise<void> => deleteBudget(tx, budgetOf(guess));

function rowsOf({ call }: Tx, guess: Guess) {
  const source = guessSourceOf(call);
  if (source === undefined) return [];
  return sharesOf(source).map(({ of, times }) => ({
    budget: budgetOf(guess),
    subject: hash("sha256", of, "base64url"),
    cost: cost / times,
  }));
}

const budgetOf = ({ kind, subjectId }: Guess): string => `guesses_of_source ${kind} ${subjectId}`;
