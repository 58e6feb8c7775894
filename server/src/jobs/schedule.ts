import type { Clock, Instant } from "../base/clock.ts";
import type { Job, JobRun } from "./job.ts";

export interface ScheduleDeps {
  readonly clock: Clock;
  /** Told of every run. */
  readonly observe: (run: JobRun) => void;
}

/** Runs jobs when they are due. */
export interface Schedule {
  /** Begins to look, soon and then regularly, for what is due. Never keeps the process alive. */
  start(): void;
  /** Runs what is due by the clock; resolves when that is finished. A job that still runs is not started again. */
  tick(): Promise<void>;
  /** Starts no more; resolves when what runs has ended. */
  stop(): Promise<void>;
}

// A start has better things to do at first. Then often enough that the shortest interval of a job is kept well.
const firstLook = 5_000;
const betweenLooks = 15_000;

/** Makes a schedule of jobs. Each runs on its own: one that fails or takes long holds up no other. */
export function createSchedule({ clock, observe }: ScheduleDeps, jobs: readonly Job[]): Schedule {
  const lastStarts = new Map<Job, Instant>();
  const running = new Map<Job, Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const isDue = (job: Job, now: Instant): boolean => {
    const last = lastStarts.get(job);
    // A clock that was set back must not stop the job until it is late again.
    return last === undefined || now >= last + job.every || now < last;
  };
  const run = async (job: Job, now: Instant): Promise<void> => {
    const started = performance.now();
    const finish = (result: Pick<JobRun, "counts" | "error">): void =>
      observe({ job: job.name, milliseconds: performance.now() - started, ...result });
    try {
      finish({ counts: await job.run({ now, signal: stopping.signal }) });
    } catch (error) {
      finish({ counts: {}, error });
    }
    running.delete(job);
  };
  const tick = async (): Promise<void> => {
    const now = clock();
    const due = stopping.signal.aborted ? [] : jobs.filter((job) => !running.has(job) && isDue(job, now));
    for (const job of due) {
      lastStarts.set(job, now);
      running.set(job, run(job, now));
    }
    await Promise.all(due.map((job) => running.get(job)));
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
