import { createSemaphore } from "../../base/budget/semaphore.ts";

export interface LanesOptions<Queue> {
  readonly keyOf: (queue: Queue) => string;
  /** How many lanes one queue may have: a slow queue delays only itself, and never occupies all of them. */
  readonly ofQueue: number;
  readonly ofAll: number;
  /** Takes one task from the queue and performs it; `found` is called when there was one. */
  readonly work: (queue: Queue, found: () => void) => Promise<void>;
  readonly isStopped: () => boolean;
  /** Called for every unexpected failure. */
  readonly report: (error: unknown) => void;
}

/** Works on queues, with several tasks of each at a time. */
export interface Lanes<Queue> {
  /** Starts working on a queue, without waiting for it. */
  open(queue: Queue): void;
  /** Runs other work that `settled` waits for as well. */
  run(work: () => Promise<void>): void;
  /** Resolves when nothing is running. */
  settled(): Promise<void>;
}

export function createLanes<Queue>(options: LanesOptions<Queue>): Lanes<Queue> {
  const { keyOf, work, isStopped, report } = options;
  const permits = createSemaphore({ permits: options.ofAll, queueLimit: Number.MAX_SAFE_INTEGER });
  const running = new Set<Promise<void>>();
  const open = new Map<string, number>();

  const run = (begin: () => Promise<void>): void => {
    const begun = begin()
      .catch(report)
      .finally(() => running.delete(begun));
    running.add(begun);
  };
  const lane = async (queue: Queue): Promise<void> => {
    let hasFound = true;
    while (hasFound && !isStopped()) {
      hasFound = false;
      await permits.run(async () => {
        if (isStopped()) return;
        await work(queue, () => {
          hasFound = true;
          // Only as many lanes as there is work for: a lane that found a task opens the next.
          openLane(queue);
        });
      });
    }
  };
  const openLane = (queue: Queue): void => {
    const key = keyOf(queue);
    const count = open.get(key) ?? 0;
    if (isStopped() || count >= options.ofQueue) return;
    open.set(key, count + 1);
    run(() =>
      lane(queue).finally(() => {
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      }),
    );
  };
  return {
    open: openLane,
    run,
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
