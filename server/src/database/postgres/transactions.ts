import pg, { type ClientConfig, type PoolClient } from "pg";
import type { Call } from "../../call/index.ts";
import { DatabaseUnavailable, type NewEvent, type Warn } from "../database.ts";
import type { Sql } from "../sql.ts";
import { StallWatch } from "../stall-watch.ts";
import { type Kind, UnitOfWork, type Work } from "../unit-of-work.ts";
import { isWorthRepeating, toDatabaseError } from "./errors.ts";
import { GroupCommit } from "./group-commit.ts";
import { Transaction } from "./transaction.ts";

const connections = 10;
const attempts = 4;

export interface TransactionsParts {
  readonly settings: ClientConfig;
  readonly warn: Warn;
  readonly isStrict: boolean;
  /** Returns the statement that announces events to other nodes, or undefined when none of them is announced. */
  readonly notice: (instanceId: string, events: readonly NewEvent[]) => Sql | undefined;
  readonly committed: (instanceId: string, events: readonly NewEvent[]) => void;
}

/** Runs units of work on a pool: each that reads something with its own connection, the others together. */
export class Transactions {
  readonly #parts: TransactionsParts;
  readonly #pool: pg.Pool;
  readonly #watch: StallWatch;
  readonly #group = new GroupCommit(() => this.#acquire());
  #closing: Promise<void> | undefined;

  constructor(parts: TransactionsParts) {
    this.#parts = parts;
    this.#watch = new StallWatch(parts.warn);
    this.#pool = new pg.Pool({ ...parts.settings, pipeline: true, max: connections, idleTimeoutMillis: 60_000 });
    // A broken idle connection is replaced when one is needed; on a connection in use, the statement fails.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Repeats work that the server refused only because of concurrent transactions. */
  async run<Result>(kind: Kind, call: Call, work: Work<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const unit: { current?: UnitOfWork } = {};
      try {
        return await this.#attempt(unit, kind, call, work);
      } catch (error) {
        const reason = unit.current?.failure ?? error;
        if (attempt >= attempts || !isWorthRepeating(reason)) throw error;
      }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#group.idle().then(() => this.#pool.end());
    return this.#closing;
  }

  async #attempt<Result>(out: { current?: UnitOfWork }, kind: Kind, call: Call, work: Work<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw new DatabaseUnavailable("the database is closed");
    const transaction = new Transaction(() => this.#acquire(), this.#group);
    const unit = new UnitOfWork("postgres", call, transaction, this.#parts.isStrict);
    out.current = unit;
    try {
      const result = await this.#watch.during(unit, () => unit.perform(kind, work));
      await transaction.commit(unit, this.#parts.notice(call.instanceId, unit.events));
      transaction.release();
      this.#parts.committed(call.instanceId, unit.events);
      return result;
    } catch (error) {
      await transaction.giveUp(error instanceof DatabaseUnavailable && !isWorthRepeating(error));
      throw error;
    }
  }

  async #acquire(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}
