import type { Instant } from "../clock.ts";

/** When a job last succeeded in this process; absent before. */
interface JobState {
  readonly name: string;
  readonly succeededAt?: Instant | undefined;
}

/** The runs of the jobs of a process, for those who look after it. */
export interface JobRuns {
  list(): readonly JobState[];
  /** Makes a job due at once. False when there is no such job. */
  hasten(name: string): boolean;
}

/** The same for the schedule, which writes it. */
export interface JobRunsBook extends JobRuns {
  add(name: string): void;
  succeeded(name: string, at: Instant): void;
  /** Whether the job was made due since the last time. */
  takeHaste(name: string): boolean;
}

/** Creates the record of a process, without jobs. */
export function createJobRuns(): JobRunsBook {
  const succeeded = new Map<string, Instant | undefined>();
  const hastened = new Set<string>();
  return {
    list: () => [...succeeded].map(([name, succeededAt]) => ({ name, succeededAt })),
    hasten: (name) => {
      if (!succeeded.has(name)) return false;
      hastened.add(name);
      return true;
    },
    add: (name) => void succeeded.set(name, undefined),
    succeeded: (name, at) => void succeeded.set(name, at),
    takeHaste: (name) => hastened.delete(name),
  };
}
