import type { Estate } from "../support/estate.ts";

/** What was made to be held by somebody, and what can happen to it. */
export interface Holdings {
  /**
   * Names what is good: asks everything anew. What works once is asked only by the last of these questions. True: as good as it was; false: refused; a sign of
   * the grid: something in between.
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
  /** What of it works once. Everything else is used before its end, so that whatever could be remembered of it is. */
  readonly once: readonly string[];
  /** What dies with what: `x` is refused from the answer on, `.` stays as good as it was; other signs are the table's. */
  readonly grid: Readonly<Record<string, string>>;
  /** Makes everything anew, for the ending of a row. */
  make(estate: Estate, ending: string): Promise<Holdings>;
}
