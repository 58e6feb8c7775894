import { setTimeout as wait } from "node:timers/promises";
import { createFairTurns, type FairTurns } from "../base/budget/fair-turns.ts";
import { currentAsker, type Payer } from "../base/budget/payer.ts";
import { QueueFull } from "../base/budget/semaphore.ts";
import { createTimeShares } from "../base/budget/time-shares.ts";
import { seconds } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { Reader } from "./database.ts";
import type { Sql } from "./sql.ts";

/** How long the engine may work on one statement of a list. */
export const longestRead = seconds(10);

// How long a caller waits for a turn.
const longestWait = seconds(20);

// Milliseconds of a period that an instance, an organization and a user have before they take turns.
const shares = { most: [4000, 2000, 1000], period: seconds(10) } as const;
// An instance has room for several organizations that fill theirs.
const queues = { queueLimits: [1024, 128, 64], queueLimit: 2048 } as const;

/** Reads a statement apart from everything else, and says how long the engine took. */
export type ReadApart = (statement: Sql) => Promise<{ readonly rows: unknown[]; readonly milliseconds: number }>;

export interface LongReadsOptions {
  readonly engine: Reader["engine"];
  readonly isStrict?: boolean | undefined;
  /** How many statements of callers within their shares are read at a time. */
  readonly permits: number;
  readonly read: ReadApart;
  /** A clock that is never set back; a parameter for tests. */
  readonly clock?: () => number;
}

/**
 * Reads lists of many rows, whose time is charged to those who ask for them. Within their share callers have their turn
 * as soon as the engine is free. Beyond it they share a single turn, and after each the engine is free of them for as
 * long as it took, so that they never have more than half of its time. Throws the Fault `request.too_many` when too
 * many wait, or for too long, and the Fault `list.too_slow` for a statement that takes too long.
 */
export class LongReads implements Reader {
  readonly engine: Reader["engine"];
  readonly isStrict: boolean;
  readonly #read: ReadApart;
  readonly #clock: () => number;
  readonly #shares;
  readonly #turns: FairTurns;
  readonly #turnsBeyond: FairTurns;

  constructor({ engine, isStrict = false, permits, read, clock = () => performance.now() }: LongReadsOptions) {
    this.engine = engine;
    this.isStrict = isStrict;
    this.#read = read;
    this.#clock = clock;
    this.#shares = createTimeShares({ ...shares, clock });
    this.#turns = createFairTurns({ permits, shares: [permits], ...queues });
    this.#turnsBeyond = createFairTurns({ permits: 1, shares: [1], ...queues });
  }

  async all<Row>(statement: Sql): Promise<Row[]> {
    const asker = currentAsker();
    const signal = AbortSignal.timeout(longestWait);
    try {
      // Judged when the turn comes: what came at once before anything was charged waits, too.
      const rows = this.#shares.isUsedUp(asker)
        ? undefined
        : await this.#turns.run(asker, async () => this.#readWithin(asker, statement), signal);
      return (rows ?? (await this.#readBeyond(asker, statement, signal))) as Row[];
    } catch (error) {
      const isRefused = error instanceof QueueFull || (signal.aborted && error === signal.reason);
      throw isRefused ? new Fault("resource_exhausted", "request.too_many", { cause: error }) : error;
    }
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0];
  }

  async #readWithin(asker: Payer, statement: Sql): Promise<unknown[] | undefined> {
    return this.#shares.isUsedUp(asker) ? undefined : this.#charged(asker, statement);
  }

  #readBeyond(asker: Payer, statement: Sql, signal: AbortSignal): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const started = this.#clock();
        // The answer does not wait for the pause.
        await this.#charged(asker, statement, 1).then(resolve, reject);
        await wait(Math.min(longestRead, this.#clock() - started), undefined, { ref: false });
      };
      this.#turnsBeyond.run(asker, turn, signal).catch(reject);
    });
  }

  // What is read beyond a share is not the instance's, whose other organizations would be beyond theirs with it.
  async #charged(asker: Payer, statement: Sql, spared = 0): Promise<unknown[]> {
    const started = this.#clock();
    try {
      const { rows, milliseconds } = await this.#read(statement);
      this.#shares.charge(asker, milliseconds, spared);
      return rows;
    } catch (error) {
      this.#shares.charge(asker, this.#clock() - started, spared);
      throw error;
    }
  }
}

/** Returns the error of a list that takes too long. */
export const tooSlow = (cause?: unknown): Fault => new Fault("resource_exhausted", "list.too_slow", { cause });
