import type { Instant } from "../base/clock.ts";

/** Work that is repeated regularly, without a request. */
export interface Job {
  readonly name: string;
  /** Milliseconds from one start to the next. */
  readonly every: number;
  /** Runs the job once. Several nodes may run it at the same time, and it may be cut off anywhere. */
  run(context: JobContext): Promise<Counts>;
}

export interface JobContext {
  readonly now: Instant;
  /** Aborted when the process stops: a long job then ends after its current batch. */
  readonly signal: AbortSignal;
}

/** What a run did, and how often: `{ access_tokens: 500 }`. Zeros may be left out. */
export type Counts = Readonly<Record<string, number>>;

/** One run of a job, for the log and for metrics. */
export interface JobRun {
  readonly job: string;
  readonly milliseconds: number;
  readonly counts: Counts;
  /** Why it failed; absent on success. */
  readonly error?: unknown;
}
