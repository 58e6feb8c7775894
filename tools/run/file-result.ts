/** What came of one test file. */
export interface FileResult {
  readonly file: string;
  /** Names of the tests that passed, those of suites before them: `sqlite > a code is used once`. */
  readonly passed: readonly string[];
  readonly failed: number;
  /** Names of the tests that were not run, with the reason when one was given. */
  readonly skipped: readonly string[];
  readonly milliseconds: number;
  /**
   * Processor time of the group's process meanwhile, in milliseconds, with that of the programs that it started and
   * that have ended. What all files share, PostgreSQL and Chromium, is not in it.
   */
  readonly cpuMilliseconds: number;
  /** Text for people: each failed test with its error, then what the file printed. Empty when nothing failed. */
  readonly report: string;
}
