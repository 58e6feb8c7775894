import { createSemaphore } from "../../base/semaphore.ts";

export interface LanesOptions<Queue> {
  readonly keyOf: (queue: Queue) => string;
  /** How many work on one queue at a time: one that is slow holds up itself, and never all of them. */
  readonly ofQueue: number;
  readonly ofAll: number;
  /** Takes one thing from the queue and works on it; `found` is called when there was one. */
  readonly work: (queue: Queue, found: () => void) => Promise<void>;
  readonly isStopped: () => boolean;
  /** Told of every failure that nobody expected. */
  readonly report: (error: unknown) => void;
}

/** Works on queues, several things of each at a time. */
export interface Lanes<Queue> {
  /** Begins with a queue, without waiting for it. */
  open(queue: Queue): void;
  /** Runs something beside the lanes that they are to be waited for with. */
  run(work: () => Promise<void>): void;
  /** Resolves when nothing runs any more. */
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
          // Only as many lanes as there is work for: one that found something opens the next.
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
