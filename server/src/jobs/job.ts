import type { Instant } from "../base/clock.ts";

/** Something that is done again and again, without a request. */
export interface Job {
  readonly name: string;
  /** Milliseconds from one start to the next. */
  readonly every: number;
  /** Does it once. Many nodes may do it at the same time, and it may be cut off anywhere. */
  run(context: JobContext): Promise<Counts>;
}

export interface JobContext {
  readonly now: Instant;
  /** Aborted when the process stops: a long job ends at its next step. */
  readonly signal: AbortSignal;
}

/** How many of what a run did: `{ access_tokens: 500 }`. What was not done may be left out. */
export type Counts = Readonly<Record<string, number>>;

/** One run of a job, for the log and for metrics. */
export interface JobRun {
  readonly job: string;
  readonly milliseconds: number;
  readonly counts: Counts;
  /** Why it failed; absent when it did not. */
  readonly error?: unknown;
}
