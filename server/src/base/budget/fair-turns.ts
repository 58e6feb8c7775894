import type { Payer } from "./payer.ts";
import { QueueFull } from "./semaphore.ts";

/** Runs a bounded number of tasks at a time, and divides the turns among those who pay for them. */
export interface FairTurns {
  /**
   * Runs the work when its turn comes. Rejects with QueueFull when too many wait and none has more of them than the
   * payer: at once, or later for another payer's sake. Rejects with the reason of the signal when the caller stops
   * waiting.
   */
  run<Result>(payer: Payer, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /**
   * Takes a turn and returns the function that ends it: at once when one is free, and else when it comes. Rejects with
   * QueueFull as well after `longestWait` milliseconds.
   */
  take(payer: Payer, longestWait: number): (() => void) | Promise<() => void>;
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
  readonly below: Accounts;
}

/** Watches whether a caller stops waiting; returns what ends the watch. */
type Watch = (stop: (reason: Error) => void) => () => void;

/** What is known of payers that have something running or waiting, by name. */
type Accounts = Map<string, Account>;

interface Waiter {
  readonly accounts: readonly Account[];
  readonly begin: () => void;
  /** Ends the wait. */
  readonly stop: (reason: Error) => void;
}

/**
 * Creates turns that are fair at every level. The next turn goes to the instance with the fewest running tasks, among
 * equals to the one that was served the longest ago. Organizations in it, and sources in these, are chosen by the same
 * rule. So one payer's flood queues behind itself, and a new payer waits for one task at most. Where the queue of a
 * level is full, the newest task of the payer is refused that has most in it, so that none fills it for others.
 */
export function createFairTurns({ permits, shares, queueLimits, queueLimit }: FairTurnsOptions): FairTurns {
  const accounts: Accounts = new Map();
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
  const enter = (held: readonly Account[], watch: Watch): Promise<void> | undefined => {
    if (running < permits && mayRun(held)) {
      start(held);
      return undefined;
    }
    // The narrowest: a place in it is one at every level above it.
    const full = held.findLastIndex((account, level) => account.waiting >= (at(queueLimits, level) ?? queueLimit));
    if (full >= 0 || queue.length >= queueLimit) makeRoom(queue, held.slice(0, full + 1), held);
    return waitIn(queue, held, watch);
  };
  const take = (payer: Payer, watch: Watch): (() => void) | Promise<() => void> => {
    const held = accountsOf(accounts, payer);
    const end = (): void => {
      running--;
      for (const account of held) account.running--;
      next();
      forgetIdle(accounts, payer);
    };
    try {
      const waiting = enter(held, watch);
      if (waiting === undefined) return end;
      return waiting.then(
        () => end,
        (error: unknown) => {
          forgetIdle(accounts, payer);
          throw error;
        },
      );
    } catch (error) {
      forgetIdle(accounts, payer);
      throw error;
    }
  };

  return {
    async run(payer, work, signal) {
      signal?.throwIfAborted();
      const end = await take(payer, watchSignal(signal));
      try {
        return await work();
      } finally {
        end();
      }
    },
    take: (payer, longestWait) => take(payer, watchTime(longestWait)),
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
  };
}

/** Resolves when the turn comes. */
function waitIn(queue: Waiter[], held: readonly Account[], watch: Watch): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (reason: Error): void => {
      unwatch();
      queue.splice(queue.indexOf(waiter), 1);
      for (const account of held) account.waiting--;
      reject(reason);
    };
    const unwatch = watch(stop);
    const begin = (): void => {
      unwatch();
      resolve();
    };
    const waiter: Waiter = { accounts: held, begin, stop };
    for (const account of held) account.waiting++;
    queue.push(waiter);
  });
}

/**
 * Refuses a task that waits below the accounts of a full queue, for a newcomer there: the newest one of the payer that
 * has most in it, at each level down. Throws when that is the newcomer.
 */
function makeRoom(queue: readonly Waiter[], full: readonly Account[], newcomer: readonly Account[]): void {
  let crowd = queue.filter(({ accounts }) => full.every((account, level) => accounts[level] === account));
  let isOfNewcomer = true;
  const isDeeper = (level: number): boolean =>
    (isOfNewcomer && newcomer.length > level) || crowd.some(({ accounts }) => accounts.length > level);
  for (let level = full.length; isDeeper(level); level++) {
    const most = mostOf(crowd, level, isOfNewcomer ? { account: newcomer[level] } : undefined);
    isOfNewcomer &&= most === newcomer[level];
    crowd = crowd.filter(({ accounts }) => accounts[level] === most);
  }
  const last = crowd.at(-1);
  if (isOfNewcomer || last === undefined) throw new QueueFull("too many wait already");
  last.stop(new QueueFull("others wait who have fewer"));
}

/**
 * Returns the account of the level that has most tasks in a crowd, among equals the newcomer's or that of the newest;
 * undefined for tasks whose payer ends above it.
 */
function mostOf(
  crowd: readonly Waiter[],
  level: number,
  newcomer: { readonly account: Account | undefined } | undefined,
): Account | undefined {
  const counts = new Map<Account | undefined, number>();
  // First, and with the task that is to wait.
  if (newcomer !== undefined) counts.set(newcomer.account, 1);
  for (const { accounts } of crowd.toReversed()) counts.set(accounts[level], (counts.get(accounts[level]) ?? 0) + 1);
  const [first] = counts;
  return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), first ?? [undefined, 0])[0];
}

const watchSignal =
  (signal: AbortSignal | undefined): Watch =>
  (stop) => {
    const abort = (): void =>
      stop(signal?.reason instanceof Error ? signal.reason : new Error("the caller stopped waiting"));
    signal?.addEventListener("abort", abort, { once: true });
    return () => signal?.removeEventListener("abort", abort);
  };

const watchTime =
  (milliseconds: number): Watch =>
  (stop) => {
    const timer = setTimeout(() => stop(new QueueFull("waited too long")), milliseconds);
    return () => clearTimeout(timer);
  };

/** Returns the accounts of a payer, from the widest to the narrowest. */
function accountsOf(accounts: Accounts, payer: Payer): readonly Account[] {
  let level = accounts;
  return payer.map((name) => {
    let account = level.get(name);
    if (account === undefined) {
      account = { running: 0, waiting: 0, servedAt: 0, below: new Map() };
      level.set(name, account);
    }
    level = account.below;
    return account;
  });
}

// What runs or waits counts at every level above it, so below an idle account all are.
function forgetIdle(accounts: Accounts, payer: Payer): void {
  let level = accounts;
  for (const name of payer) {
    const account = level.get(name);
    if (account === undefined) return;
    if (account.running === 0 && account.waiting === 0) {
      level.delete(name);
      return;
    }
    level = account.below;
  }
}

const at = (numbers: readonly number[], level: number): number | undefined => numbers[level] ?? numbers.at(-1);

// Among equals the earlier one is kept, so that one payer's tasks run in order.
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
