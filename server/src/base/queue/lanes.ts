/** Works through a queue to which other code adds, and which other processes may work through as well. */
export interface Lanes {
  /** Starts with what is there, without waiting for it. */
  wake(): void;
  /** Starts, and resolves when the queue is empty and no task is running. */
  drain(): Promise<void>;
  /** Takes no more tasks, aborts the running ones, and waits for them. */
  stop(): Promise<void>;
}

/** For each level of payers, those that have all of their lanes. */
type Spent = readonly (readonly string[])[];

export interface LanesOptions<Task> {
  /** How many tasks may run at a time. */
  readonly most: number;
  /** Who pays for a task: the instance first, then what is narrower. */
  readonly payersOf: (task: Task) => readonly string[];
  /**
   * How many lanes one payer of each level may have, so that what is slow of one delays only itself; a function where
   * it depends on the task.
   */
  readonly shares: readonly number[] | ((task: Task) => readonly number[]);
  /**
   * Claims the next task that none of the spent payers pays for; undefined when there is none. `spent` holds for each
   * level those that have all of their lanes.
   */
  readonly take: (spent: Spent) => Promise<Task | undefined>;
  /** `stopping` is aborted when the lanes are stopped. */
  readonly perform: (task: Task, stopping: AbortSignal) => Promise<void>;
  /** Receives what `take` and `perform` throw, which ends that lane and nothing else. */
  readonly report: (error: unknown) => void;
}

/**
 * Creates parallel lanes, each with one task at a time, so that a slow task does not delay the others. There are only
 * as many lanes as there is work for: a lane that found a task opens the next.
 */
export function createLanes<Task>(options: LanesOptions<Task>): Lanes {
  const { most, take, perform, payersOf, shares, report } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const sharesOf = typeof shares === "function" ? shares : () => shares;
  const held: Map<string, { readonly lanes: number; readonly most: number }>[] = [];
  const count = (task: Task, by: 1 | -1): void => {
    const mostOf = sharesOf(task);
    payersOf(task).forEach((payer, level) => {
      const ofLevel = held[level] ?? new Map<string, { lanes: number; most: number }>();
      held[level] = ofLevel;
      const lanes = (ofLevel.get(payer)?.lanes ?? 0) + by;
      if (lanes === 0) ofLevel.delete(payer);
      else ofLevel.set(payer, { lanes, most: mostOf[level] ?? most });
    });
  };
  const spent = (): Spent =>
    held.map((ofLevel) => [...ofLevel].filter(([, has]) => has.lanes >= has.most).map(([payer]) => payer));
  // One after the other, because two lanes that looked at the same time could both take the last one of a payer.
  let claiming: Promise<unknown> = Promise.resolve();
  const claim = (): Promise<Task | undefined> => {
    const claimed = claiming.then(async () => {
      if (stopping.signal.aborted) return undefined;
      const task = await take(spent());
      if (task !== undefined) count(task, 1);
      return task;
    });
    claiming = claimed.catch(() => {});
    return claimed;
  };
  const lane = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const task = await claim();
      if (task === undefined) return;
      open();
      await perform(task, stopping.signal).finally(() => count(task, -1));
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
