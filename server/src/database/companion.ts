import type { Companion } from "../call/index.ts";
import type { Tx } from "./database.ts";
import { sql } from "./sql.ts";

/** Thrown out of an operation that is tried, in place of its commit: it would have succeeded. */
export class TrialSucceeded extends Error {
  override readonly name = "TrialSucceeded";

  constructor() {
    super("the operation was tried, and rolled back");
  }
}

/** Creates what is done at the end of each unit of work of an operation: written with it, or not at all. */
export const createCompanion = (step: (tx: Tx) => Promise<void>): Companion => ({ conclude: step, isTrial: false });

/**
 * Makes an operation a trial: its first unit of work runs to its end, with all its checks and statements, and is then
 * rolled back. The operation ends there (`TrialSucceeded`), before anything that follows a commit.
 */
export const trial: Companion = {
  conclude: () => Promise.reject(new TrialSucceeded()),
  isTrial: true,
};

/** Step: runs the companion of the call of a unit of work, if there is one. */
export async function conclude(tx: Tx): Promise<void> {
  const { companion } = tx.call;
  if (companion === undefined) return;
  // Statements that were not waited for may still be refused.
  if (companion.isTrial) await tx.maybe(sql`select 1`);
  await (companion.conclude as (unit: Tx) => Promise<void>)(tx);
}
