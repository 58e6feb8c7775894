import type { Estate } from "../support/estate.ts";

/** What was made for a user to hold, and what can happen to it. */
export interface Holdings {
  /**
   * Returns the names of what is valid, by asking everything again. What works once is asked only by the last question.
   * True: as valid as it was; false: refused; a sign of the grid: something in between.
   */
  readonly good: Readonly<Record<string, () => Promise<boolean | string>>>;
  /** What can happen to one of them. */
  readonly endings: Readonly<Record<string, () => Promise<unknown>>>;
}

/** One table of endings. */
export interface Table {
  /** The rule that it proves. */
  readonly name: string;
  /** Everything that is held, in the order of the columns. */
  readonly held: readonly string[];
  /** What of it works once. Everything else is used before its end, so that anything that could be cached is. */
  readonly once: readonly string[];
  /** What ends with what: `x` is refused from the answer on, `.` is as valid as before; other signs are the table's. */
  readonly grid: Readonly<Record<string, string>>;
  /** Makes everything again, for the ending of a row. */
  make(estate: Estate, ending: string): Promise<Holdings>;
}
