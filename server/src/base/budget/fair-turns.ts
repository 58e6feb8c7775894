import type { Payer } from "../payer.ts";
import { QueueFull } from "../semaphore.ts";

/** Runs a bounded number of tasks at a time, and divides the turns among those who pay for them. */
export interface FairTurns {
  /**
   * Runs the work when its turn comes. Rejects with QueueFull at once when too many of the same payer wait, and with
   * the reason of the signal when the caller stops waiting.
   */
  run<Result>(payer: Payer, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  readonly running: number;
  readonly waiting: number;
}

export interface FairTurnsOptions {
  readonly permits: number;
  /** How many tasks may run at a time for one payer of each level; the last number also holds for deeper levels. */
  readonly shares: readonly number[];
  /** How many tasks may wait for one payer of each level; the last number also holds for deeper levels. */
  readonly queueLimits: readonly number[];
  /** How many may wait in all. */
  readonly queueLimit: number;
}

interface Account {
  running: number;
  waiting: number;
  /** The turn in which it was last served; 0 for never. */
  servedAt: number;
}

interface Waiter {
  readonly accounts: readonly Account[];
  readonly begin: () => void;
}

/**
 * Creates turns that are fair at every level: the next turn goes to the instance with the fewest running tasks, among
 * equals to the one that was served the longest ago, then in the same way to the organization and the source in it. So
 * a flood of one payer waits behind itself, and a newcomer waits for one task at most.
 */
export function createFairTurns({ permits, shares, queueLimits, queueLimit }: FairTurnsOptions): FairTurns {
  const accounts = createAccounts();
  const queue: Waiter[] = [];
  let running = 0;
  let turn = 0;

  const mayRun = (held: readonly Account[]): boolean =>
    held.every((account, level) => account.running < (at(shares, level) ?? permits));
  const start = (held: readonly Account[]): void => {
    running++;
    turn++;
    for (const account of held) {
      account.running++;
      account.servedAt = turn;
    }
  };
  const next = (): void => {
    if (running >= permits) return;
    const chosen = queue.filter(({ accounts: held }) => mayRun(held)).reduce<Waiter | undefined>(preferred, undefined);
    if (chosen === undefined) return;
    queue.splice(queue.indexOf(chosen), 1);
    for (const account of chosen.accounts) account.waiting--;
    start(chosen.accounts);
    chosen.begin();
  };
  const enter = (held: readonly Account[], signal: AbortSignal | undefined): Promise<void> | undefined => {
    signal?.throwIfAborted();
    if (running < permits && mayRun(held)) {
      start(held);
      return undefined;
    }
    const isFull = held.some((account, level) => account.waiting >= (at(queueLimits, level) ?? queueLimit));
    if (isFull || queue.length >= queueLimit) throw new QueueFull("too many wait already");
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        queue.splice(queue.indexOf(waiter), 1);
        for (const account of held) account.waiting--;
        reject(signal?.reason instanceof Error ? signal.reason : new Error("the caller stopped waiting"));
      };
      const begin = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const waiter: Waiter = { accounts: held, begin };
      for (const account of held) account.waiting++;
      signal?.addEventListener("abort", stop, { once: true });
      queue.push(waiter);
    });
  };

  return {
    async run(payer, work, signal) {
      const held = accounts.of(payer);
      try {
        await enter(held, signal);
      } catch (error) {
        accounts.forgetIdle(payer);
        throw error;
      }
      try {
        return await work();
      } finally {
        running--;
        for (const account of held) account.running--;
        next();
        accounts.forgetIdle(payer);
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

/** What is known of payers that have something running or waiting, at every level. */
function createAccounts() {
  const accounts = new Map<string, Account>();
  const keysOf = (payer: Payer): string[] => payer.map((_, level) => JSON.stringify(payer.slice(0, level + 1)));
  const accountOf = (key: string): Account => {
    const known = accounts.get(key);
    if (known !== undefined) return known;
    const account = { running: 0, waiting: 0, servedAt: 0 };
    accounts.set(key, account);
    return account;
  };
  return {
    of: (payer: Payer): readonly Account[] => keysOf(payer).map(accountOf),
    forgetIdle: (payer: Payer): void => {
      for (const key of keysOf(payer)) {
        const account = accounts.get(key);
        if (account?.running === 0 && account.waiting === 0) accounts.delete(key);
      }
    },
  };
}

const at = (numbers: readonly number[], level: number): number | undefined => numbers[level] ?? numbers.at(-1);

// The earlier one stays chosen among equals, so that one payer's tasks run in their order.
function preferred(best: Waiter | undefined, waiter: Waiter): Waiter {
  if (best === undefined) return waiter;
  const levels = Math.min(best.accounts.length, waiter.accounts.length);
  for (let level = 0; level < levels; level++) {
    const [a, b] = [best.accounts[level], waiter.accounts[level]];
    if (a === undefined || b === undefined) break;
    if (a === b) continue;
    if (a.running !== b.running) return a.running < b.running ? best : waiter;
    return a.servedAt <= b.servedAt ? best : waiter;
  }
  return best;
}
