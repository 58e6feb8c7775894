import type { TimeShares } from "../base/budget/time-shares.ts";
import type { ConfirmedRun } from "./confirmation.ts";
import { LongWork } from "./long-work.ts";
import { type RunUnit, runInPortions } from "./portions.ts";
import type { Work } from "./unit-of-work.ts";

// Of ten connections to PostgreSQL, and of the one writer of SQLite. One organization has one.
const turns = { permits: 2, permitsOf: [2, 1] } as const;

// Milliseconds after which a turn came late: the rights of the caller may have ended meanwhile.
const late = 20;

/**
 * Runs units of work that read much before they write, in turns that are taken before a connection is. Where a turn
 * came late, the caller is confirmed before the unit begins.
 */
export class LongChanges {
  readonly #work: LongWork;

  constructor(shares: TimeShares) {
    this.#work = new LongWork({ ...turns, shares });
  }

  run<Result>({ run, confirm }: ConfirmedRun, work: Work<Result>): Promise<Result> {
    const inTurn: RunUnit = (kind, each) => {
      const asked = performance.now();
      return this.#work.run(async () => {
        if (performance.now() - asked > late) await confirm();
        return await measure(() => run(kind, each));
      });
    };
    return runInPortions(inTurn, "change", work);
  }

  /** Runs units without history in turns. Their caller is not confirmed: what they finish was decided before. */
  touch<Result>(run: RunUnit, work: Work<Result>): Promise<Result> {
    const inTurn: RunUnit = (kind, each) => this.#work.run(() => measure(() => run(kind, each)));
    return runInPortions(inTurn, "touch", work);
  }
}

async function measure<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const started = performance.now();
  return { result: await work(), milliseconds: performance.now() - started };
}
