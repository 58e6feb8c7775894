import { setTimeout as wait } from "node:timers/promises";
import { createFairTurns, type FairTurns } from "../base/budget/fair-turns.ts";
import { currentAsker, type Payer } from "../base/budget/payer.ts";
import { QueueFull } from "../base/budget/semaphore.ts";
import { createTimeShares, type TimeShares } from "../base/budget/time-shares.ts";
import { seconds } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";

// How long a caller waits for a turn.
const longestWait = seconds(20);
const longestPause = seconds(10);

// Milliseconds of a period that an instance, an organization and a user have before they take turns.
const most = { most: [4000, 2000, 1000], period: seconds(10) } as const;
// An instance has room for several organizations that fill theirs.
const queues = { queueLimits: [1024, 128, 64], queueLimit: 2048 } as const;

/** A clock that is never set back. */
type SteadyClock = () => number;

/** Creates the shares of the time that the engine has for long work, of which there is one for a database. */
export const createLongShares = (clock: SteadyClock = () => performance.now()): TimeShares =>
  createTimeShares({ ...most, clock });

export interface LongWorkOptions {
  readonly shares: TimeShares;
  /** How much work of callers within their shares is done at a time. */
  readonly permits: number;
  /** How much of it for one instance, organization and user; `permits` for each when absent. */
  readonly permitsOf?: readonly number[];
  /** A parameter for tests. */
  readonly clock?: SteadyClock;
}

/** Work that says how long the engine took. */
export type Measured<Result> = () => Promise<{ readonly result: Result; readonly milliseconds: number }>;

/**
 * Does work that takes the engine long, whose time is charged to those who ask for it. Within their share callers have
 * their turn as soon as the engine is free. Beyond it they share a single turn, and after each the engine is free of
 * them for as long as it took, so that they never have more than half of its time. Throws the Fault `request.too_many`
 * when too many wait, or for too long.
 */
export class LongWork {
  readonly #shares: TimeShares;
  readonly #clock: SteadyClock;
  readonly #turns: FairTurns;
  readonly #turnsBeyond: FairTurns;

  constructor({ shares, permits, permitsOf = [permits], clock = () => performance.now() }: LongWorkOptions) {
    this.#shares = shares;
    this.#clock = clock;
    this.#turns = createFairTurns({ permits, shares: permitsOf, ...queues });
    this.#turnsBeyond = createFairTurns({ permits: 1, shares: [1], ...queues });
  }

  async run<Result>(work: Measured<Result>): Promise<Result> {
    const asker = currentAsker();
    const signal = AbortSignal.timeout(longestWait);
    try {
      // Judged when the turn comes: what came at once before anything was charged waits, too.
      const within = async () =>
        this.#shares.isUsedUp(asker) ? undefined : { result: await this.#charged(asker, work) };
      const done = this.#shares.isUsedUp(asker) ? undefined : await this.#turns.run(asker, within, signal);
      return done === undefined ? await this.#runBeyond(asker, work, signal) : done.result;
    } catch (error) {
      const isRefused = error instanceof QueueFull || (signal.aborted && error === signal.reason);
      throw isRefused ? new Fault("resource_exhausted", "request.too_many", { cause: error }) : error;
    }
  }

  #runBeyond<Result>(asker: Payer, work: Measured<Result>, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const started = this.#clock();
        // The answer does not wait for the pause.
        await this.#charged(asker, work, 1).then(resolve, reject);
        await wait(Math.min(longestPause, this.#clock() - started), undefined, { ref: false });
      };
      this.#turnsBeyond.run(asker, turn, signal).catch(reject);
    });
  }

  // What is done beyond a share is not the instance's, whose other organizations would be beyond theirs with it.
  async #charged<Result>(asker: Payer, work: Measured<Result>, spared = 0): Promise<Result> {
    const started = this.#clock();
    try {
      const { result, milliseconds } = await work();
      this.#shares.charge(asker, milliseconds, spared);
      return result;
    } catch (error) {
      this.#shares.charge(asker, this.#clock() - started, spared);
      throw error;
    }
  }
}
