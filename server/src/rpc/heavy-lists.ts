import { setTimeout as wait } from "node:timers/promises";
import { createFairTurns } from "../base/budget/fair-turns.ts";
import type { Payer } from "../base/budget/payer.ts";
import { QueueFull } from "../base/budget/semaphore.ts";
import { seconds } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";

/** Runs the work of a list with many conditions when its turn comes. */
export type RunHeavyList = <Result>(payer: Payer, work: () => Promise<Result>) => Promise<Result>;

const turns = { permits: 1, shares: [1], queueLimits: [64, 32, 16], queueLimit: 256 } as const;
const longestPause = seconds(1);

/**
 * Creates the turns of lists with many conditions: one at a time, divided among the organizations and their callers,
 * and after each the event loop is kept free of them for as long as it took. So they never use more than half of the
 * time, however many are requested. Throws the Fault `request.too_many` when too many wait.
 */
export function createHeavyLists(): RunHeavyList {
  const fair = createFairTurns(turns);
  return (payer, work) =>
    new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const started = performance.now();
        // The answer does not wait for the pause.
        await work().then(resolve, reject);
        await wait(Math.min(longestPause, performance.now() - started));
      };
      fair.run(payer, turn).catch((error: unknown) => {
        reject(
          error instanceof QueueFull ? new Fault("resource_exhausted", "request.too_many", { cause: error }) : error,
        );
      });
    });
}
