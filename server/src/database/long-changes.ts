import type { TimeShares } from "../base/budget/time-shares.ts";
import type { Call } from "../call/index.ts";
import { confirmationOf } from "./confirmation.ts";
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

  run<Result>(call: Pick<Call, "confirm" | "admittedAt">, run: RunUnit, work: Work<Result>): Promise<Result> {
    const confirmation = confirmationOf(call);
    const inTurn: RunUnit = (kind, each, sparesCaller) => {
      const asked = performance.now();
      return this.#work.run(async () => {
        if (performance.now() - asked > late) await confirmation?.perform();
        return await measure(() => run(kind, each, sparesCaller));
      });
    };
    return runInPortions(inTurn, "change", work);
  }
}

async function measure<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const started = performance.now();
  return { result: await work(), milliseconds: performance.now() - started };
}
