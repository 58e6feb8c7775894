import pg, { type ClientConfig, type QueryConfig } from "pg";
import { seconds } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Confirmation } from "../confirmation.ts";
import { DatabaseUnavailable, type NewEvent, type Warn } from "../database.ts";
import type { Sql } from "../sql.ts";
import { StallWatch } from "../stall-watch.ts";
import { TooMuchForOneUnit } from "../too-much.ts";
import { type Kind, UnitOfWork, type Work } from "../unit-of-work.ts";
import { isWorthRepeating } from "./errors.ts";
import { GroupCommit, longestLockMilliseconds } from "./group-commit.ts";
import { createLeases, type Lease, leaseFrom } from "./lease.ts";
import { SharedDecisions } from "./shared-decisions.ts";
import { SharedTransactionBroken } from "./shared-transaction.ts";
import { Transaction } from "./transaction.ts";

const connections = 10;
const attempts = 4;
/**
 * How long a unit waits for a lock: what it waits for may take as long as it has rows, and it keeps a connection
 * meanwhile.
 */
const longestWaitForLock = seconds(3);

export interface TransactionsParts {
  readonly settings: ClientConfig;
  readonly warn: Warn;
  readonly isStrict: boolean;
  /** Returns the statement that announces events to other nodes, or undefined when none of them is announced. */
  readonly notice: (instanceId: string, events: readonly NewEvent[]) => Sql | undefined;
  readonly committed: (instanceId: string, events: readonly NewEvent[]) => void;
}

/** A unit of work that is to be done. */
interface Task<Result> {
  readonly kind: Kind;
  readonly call: Call;
  readonly work: Work<Result>;
  /** Confirms the caller before the commit, where the unit waited for a connection or for the locks of others. */
  readonly confirmation?: Confirmation | undefined;
}

/** Runs units of work on a pool: each that reads something with its own connection, the others together. */
export class Transactions {
  readonly #parts: TransactionsParts;
  readonly #pool: pg.Pool;
  readonly #watch: StallWatch;
  /** The connection of units that are committed together. */
  readonly #groupPool: pg.Pool;
  readonly #acquire: () => Promise<Lease>;
  readonly #group: GroupCommit;
  /** The connection of units that decide together. */
  readonly #decisionPool: pg.Pool;
  readonly #decisions: SharedDecisions;
  #closing: Promise<void> | undefined;

  constructor(parts: TransactionsParts) {
    this.#parts = parts;
    this.#watch = new StallWatch(parts.warn);
    this.#pool = createPool(parts.settings, connections, longestWaitForLock);
    const groupPool = createPool(parts.settings, 1, longestLockMilliseconds);
    this.#groupPool = groupPool;
    this.#acquire = createLeases(this.#pool, connections);
    this.#group = new GroupCommit({ acquire: () => leaseFrom(groupPool), acquireAlone: this.#acquire });
    const decisionPool = createPool(parts.settings, 1, longestLockMilliseconds);
    this.#decisionPool = decisionPool;
    this.#decisions = new SharedDecisions(() => leaseFrom(decisionPool));
  }

  /**
   * Repeats work that the server refused only because of concurrent transactions. It takes what it lost before
   * everything else (`locksOf`), so that it does not lose it again.
   */
  async run<Result>(task: Task<Result>): Promise<Result> {
    let lost: readonly QueryConfig[] = [];
    // What confirms a caller may take longer than others should wait for it.
    let decisions = task.confirmation === undefined ? this.#decisions : undefined;
    const parts = { acquire: this.#acquire, group: this.#group };
    for (let attempt = 1; ; attempt++) {
      const transaction = new Transaction({ ...parts, decisions, first: lost });
      const unit: { current?: UnitOfWork } = {};
      try {
        return await this.#attempt(unit, transaction, task);
      } catch (error) {
        const reason = unit.current?.failure ?? error;
        if (decisions !== undefined && reason instanceof SharedTransactionBroken) {
          decisions = undefined;
          continue;
        }
        if (attempt >= attempts || !isWorthRepeating(reason)) throw error;
        lost = transaction.lost;
      }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #attempt<Result>(
    out: { current?: UnitOfWork },
    transaction: Transaction,
    { kind, call, work, confirmation }: Task<Result>,
  ): Promise<Result> {
    if (this.#closing !== undefined) throw new DatabaseUnavailable("the database is closed");
    const unit = new UnitOfWork("postgres", call, transaction, this.#parts.isStrict);
    out.current = unit;
    try {
      const result = await this.#watch.during(unit, () => unit.perform(kind, work));
      if (confirmation?.isDue === true) await confirmation.perform();
      await transaction.commit(unit, this.#parts.notice(call.instanceId, unit.events));
      await transaction.release();
      this.#parts.committed(call.instanceId, unit.events);
      return result;
    } catch (error) {
      await transaction.giveUp(error instanceof DatabaseUnavailable && !isWorthRepeating(error));
      // What is done before the unit stays done.
      if (error instanceof TooMuchForOneUnit && confirmation?.isDue === true) await confirmation.perform();
      throw error;
    }
  }

  async #close(): Promise<void> {
    await Promise.all([this.#group.idle(), this.#decisions.idle()]);
    await Promise.all([this.#pool.end(), this.#groupPool.end(), this.#decisionPool.end()]);
  }
}

function createPool(settings: ClientConfig, max: number, lockMilliseconds: number): pg.Pool {
  const options = `${settings.options ?? ""} -c lock_timeout=${lockMilliseconds}`;
  const pool = new pg.Pool({ ...settings, options, pipeline: true, max, idleTimeoutMillis: 60_000 });
  // A broken idle connection is replaced when one is needed; on a connection in use, the statement fails.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
