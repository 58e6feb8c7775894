/** Works through a queue to which other code adds, and which other processes may work through as well. */
export interface Lanes {
  /** Starts with what is there, without waiting for it. */
  wake(): void;
  /** Starts, and resolves when the queue is empty and no task is running. */
  drain(): Promise<void>;
  /** Takes no more tasks, aborts the running ones, and waits for them. */
  stop(): Promise<void>;
}

export interface LanesOptions<Task> {
  /** How many tasks may run at a time. */
  readonly most: number;
  /** Claims the next task; undefined when the queue is empty. */
  readonly take: () => Promise<Task | undefined>;
  /** `stopping` is aborted when the lanes are stopped. */
  readonly perform: (task: Task, stopping: AbortSignal) => Promise<void>;
  /** Receives what `take` and `perform` throw, which ends that lane and nothing else. */
  readonly report: (error: unknown) => void;
}

/**
 * Creates parallel lanes, each with one task at a time, so that a slow task does not delay the others. There are only
 * as many lanes as there is work for: a lane that found a task opens the next.
 */
export function createLanes<Task>({ most, take, perform, report }: LanesOptions<Task>): Lanes {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const lane = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const task = await take();
      if (task === undefined) return;
      open();
      await perform(task, stopping.signal);
    }
  };
  const open = (): void => {
    if (stopping.signal.aborted || running.size >= most) return;
    const run = lane()
      .catch(report)
      .finally(() => running.delete(run));
    running.add(run);
  };
  const settled = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    wake: open,
    drain: () => {
      open();
      return settled();
    },
    stop: () => {
      stopping.abort();
      return settled();
    },
  };
}
