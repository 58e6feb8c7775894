import type { TimeShares } from "../base/budget/time-shares.ts";
import { LongWork } from "./long-work.ts";
import { runInPortions } from "./portions.ts";
import type { Kind, Work } from "./unit-of-work.ts";

// Of ten connections to PostgreSQL, and of the one writer of SQLite. One organization has one.
const turns = { permits: 2, permitsOf: [2, 1] } as const;

type Run = <Each>(kind: Kind, work: Work<Each>) => Promise<Each>;

/** Runs units of work that read much before they write, in turns that are taken before a connection is. */
export class LongChanges {
  readonly #work: LongWork;

  constructor(shares: TimeShares) {
    this.#work = new LongWork({ ...turns, shares });
  }

  run<Result>(run: Run, work: Work<Result>): Promise<Result> {
    const inTurn: Run = (kind, each) => this.#work.run(() => measure(() => run(kind, each)));
    return runInPortions(inTurn, "change", work);
  }
}

async function measure<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const started = performance.now();
  return { result: await work(), milliseconds: performance.now() - started };
}
