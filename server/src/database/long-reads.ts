import type { TimeShares } from "../base/budget/time-shares.ts";
import { seconds } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { Reader } from "./database.ts";
import { createLongShares, LongWork } from "./long-work.ts";
import type { Sql } from "./sql.ts";

/** How long the engine may work on one statement of a list. */
export const longestRead = seconds(10);

/** Reads a statement apart from everything else, and says how long the engine took. */
export type ReadApart = (statement: Sql) => Promise<{ readonly rows: unknown[]; readonly milliseconds: number }>;

export interface LongReadsOptions {
  readonly engine: Reader["engine"];
  readonly isStrict?: boolean | undefined;
  /** How many statements of callers within their shares are read at a time. */
  readonly permits: number;
  readonly read: ReadApart;
  /** Shared with other long work of the database. */
  readonly shares?: TimeShares;
  /** A clock that is never set back; a parameter for tests. */
  readonly clock?: () => number;
}

/**
 * Reads lists of many rows, in turns (`LongWork`). Throws the Fault `list.too_slow` for a statement that takes too
 * long.
 */
export class LongReads implements Reader {
  readonly engine: Reader["engine"];
  readonly isStrict: boolean;
  readonly #read: ReadApart;
  readonly #work: LongWork;

  constructor({
    engine,
    isStrict = false,
    permits,
    read,
    clock = () => performance.now(),
    shares = createLongShares(clock),
  }: LongReadsOptions) {
    this.engine = engine;
    this.isStrict = isStrict;
    this.#read = read;
    this.#work = new LongWork({ shares, permits, clock });
  }

  all<Row>(statement: Sql): Promise<Row[]> {
    return this.#work.run(async () => {
      const { rows, milliseconds } = await this.#read(statement);
      return { result: rows as Row[], milliseconds };
    });
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0];
  }
}

/** Returns the error of a list that takes too long. */
export const tooSlow = (cause?: unknown): Fault => new Fault("resource_exhausted", "list.too_slow", { cause });
