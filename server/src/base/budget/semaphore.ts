/** Thrown when the queue of a semaphore is full: the work was not started. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

/** Runs a bounded number of tasks at a time, first come, first served. */
export interface Semaphore {
  /** Runs the work when its turn comes; rejects with QueueFull immediately when too many are waiting. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  readonly running: number;
  readonly waiting: number;
}

export interface SemaphoreOptions {
  readonly permits: number;
  /** How many may wait. */
  readonly queueLimit: number;
}

export function createSemaphore({ permits, queueLimit }: SemaphoreOptions): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;

  const enter = (): Promise<void> | undefined => {
    if (running < permits) {
      running++;
      return undefined;
    }
    if (queue.length >= queueLimit) throw new QueueFull(`${queueLimit} wait already`);
    return new Promise((resolve) => queue.push(resolve));
  };

  // The permit passes straight to the next in the queue, so that a new arrival cannot overtake it.
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  };

  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
  };
}
