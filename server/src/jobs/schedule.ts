import { type Clock, type Instant, seconds } from "../base/clock.ts";
import type { JobRunsBook } from "../base/queue/job-runs.ts";
import type { Job, JobRun } from "./job.ts";

export interface ScheduleDeps {
  readonly clock: Clock;
  /** Called after every run. */
  readonly observe: (run: JobRun) => void;
  /** Where it is noted which jobs there are and when they succeeded. */
  readonly jobRuns?: JobRunsBook;
}

/** Runs jobs when they are due. */
export interface Schedule {
  /** Starts checking for due jobs, soon and then regularly. Never keeps the process alive. */
  start(): void;
  /**
   * Runs what is due by the clock; resolves when that is finished. A job that is still running is not started twice at
   * a time: it is waited for, and run again if it is due by then.
   */
  tick(): Promise<void>;
  /** Starts no more jobs; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

// Startup has priority at first. Then checks often enough to keep the shortest interval of a job.
const firstLook = seconds(5);
const betweenLooks = seconds(15);

/** Creates a schedule of jobs. Each runs independently: a failing or slow job does not delay the others. */
export function createSchedule({ clock, observe, jobRuns }: ScheduleDeps, jobs: readonly Job[]): Schedule {
  const lastStarts = new Map<Job, Instant>();
  const running = new Map<Job, Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  for (const { name } of jobs) jobRuns?.add(name);

  const isDue = (job: Job, now: Instant): boolean => {
    const last = lastStarts.get(job);
    // A clock that was set back must not stop the job until it has caught up.
    return last === undefined || now >= last + job.every || now < last;
  };
  const run = async (job: Job, now: Instant): Promise<void> => {
    const started = performance.now();
    const finish = (result: Pick<JobRun, "counts" | "error">): void =>
      observe({ job: job.name, milliseconds: performance.now() - started, ...result });
    try {
      const counts = await job.run({ now, signal: stopping.signal });
      jobRuns?.succeeded(job.name, now);
      finish({ counts });
    } catch (error) {
      finish({ counts: {}, error });
    }
    running.delete(job);
  };
  // A run that began before saw an earlier clock, or is the one that is due: either way it is waited for.
  const runIfDue = async (job: Job): Promise<void> => {
    if (running.has(job)) await running.get(job);
    const now = clock();
    if (!stopping.signal.aborted && !running.has(job) && (isDue(job, now) || jobRuns?.takeHaste(job.name) === true)) {
      lastStarts.set(job, now);
      running.set(job, run(job, now));
    }
    await running.get(job);
  };
  const tick = async (): Promise<void> => {
    await Promise.all(jobs.map(runIfDue));
  };
  const look = (wait: number): void => {
    timer = setTimeout(() => {
      void tick();
      look(betweenLooks);
    }, wait).unref();
  };
  return {
    start: () => look(firstLook),
    tick,
    stop: async () => {
      clearTimeout(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}
