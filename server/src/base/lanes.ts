/** Works through a queue that others put things into, and that other processes may work through as well. */
export interface Lanes {
  /** Begins with what is there, without waiting for it. */
  wake(): void;
  /** Begins, and resolves when nothing is left and nothing is on its way. */
  drain(): Promise<void>;
  /** Takes nothing more, tells what is on its way to end, and waits for it. */
  stop(): Promise<void>;
}

export interface LanesOptions<Task> {
  /** How many tasks may be on their way at a time. */
  readonly most: number;
  /** Claims the next task; undefined when there is none. */
  readonly take: () => Promise<Task | undefined>;
  /** `stopping` is aborted when the lanes are stopped. */
  readonly perform: (task: Task, stopping: AbortSignal) => Promise<void>;
  /** Told of what `take` and `perform` throw, which ends that lane and nothing else. */
  readonly report: (error: unknown) => void;
}

/**
 * Makes lanes beside each other, each with one task at a time, so that one that takes long holds up nobody else. There are only as many lanes as there
 * is work for: one that found something opens the next.
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
